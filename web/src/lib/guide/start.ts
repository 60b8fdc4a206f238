/** From the Learn page to a guided table in one request. */
import { api } from '../api/http';
import { tableHandoff } from '../tableHandoff';
import { me } from '../person.svelte';
import { router } from '../router.svelte';
import { trying } from '../toasts.svelte';
import { BEGIN, keepProgress, loadGuide, recordOf } from './guide';

export async function startGuide(game: string): Promise<void> {
  const guide = await trying(() =>
    loadGuide(game).catch(() => {
      throw new Error('The guide could not be loaded. Is the connection there?');
    }),
  );
  if (!guide) return;
  const seats = [{ kind: 'me' as const }, { kind: 'bot' as const, level: 'shower' }];
  const table = await trying(() => api.create({ record: recordOf(guide), seats, start: true, private: true }));
  if (!table) return;
  keepProgress(table.id, BEGIN);
  tableHandoff.put(table);
  me.refresh();
  router.go(`/t/${table.id}`);
}
