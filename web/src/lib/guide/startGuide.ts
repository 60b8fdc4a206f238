/** Opens a guided table with one request. */
import { createTable, goToTable } from '../newTable';
import { withErrorToast } from '../toasts.svelte';
import { NOT_STARTED, saveProgress, loadGuide, recordOf } from './guide';

export async function startGuide(game: string): Promise<void> {
  const guide = await withErrorToast(() =>
    loadGuide(game).catch(() => {
      throw new Error('The guide could not be loaded. Check your connection.');
    }),
  );
  if (!guide) return;
  const seats = [{ kind: 'me' as const }, { kind: 'bot' as const, level: 'shower' }];
  const table = await withErrorToast(() => createTable({ record: recordOf(guide), seats, start: true, private: true }));
  if (!table) return;
  saveProgress(table.id, NOT_STARTED);
  goToTable(table);
}
