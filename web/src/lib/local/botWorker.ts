/** The worker in which bots think, with a Python of its own: tables never wait for it. */
import { hold } from './lifeline';
import type { FromBots, ToBots } from './messages';
import { importModule, startAgain } from './python';

/** `wellies.local.bot_worker`. It answers errors of bots as text: whatever it throws is the end of its Python. */
interface BotModule {
  choose(task: string): string;
  judge(task: string): string;
}

const tell = (message: FromBots) => self.postMessage(message);
let bots: BotModule | null = null;

self.onmessage = async ({ data }: MessageEvent<ToBots>) => {
  try {
    if (data.type === 'start') {
      await hold(data.lifeline);
      tell({ type: 'alive' });
      const { python } = await startAgain(data.source, data.loaded);
      bots = importModule<BotModule>(python, 'wellies.local.bot_worker');
      tell({ type: 'ready' });
    } else if (bots) tell({ type: 'done', id: data.id, result: bots[data.type](data.task) });
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
