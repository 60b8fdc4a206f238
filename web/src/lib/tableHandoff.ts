/** Tables that were just made or joined, handed from one page to the next so that they need not be asked for again. */
import type { TableInfo } from './api/types';

const tables = new Map<string, TableInfo>();

export const tableHandoff = {
  put(table: TableInfo): TableInfo {
    tables.set(table.id, table);
    return table;
  },
  take(id: string): TableInfo | undefined {
    const table = tables.get(id);
    tables.delete(id);
    return table;
  },
};
