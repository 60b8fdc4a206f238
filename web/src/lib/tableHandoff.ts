/** Tables that were just created or joined, handed from one page to the next so that the next need not fetch them. */
import type { TableInfo } from './api/types';

const tables = new Map<string, TableInfo>();

export const tableHandoff = {
  put(table: TableInfo): TableInfo {
    tables.set(table.id, table);
    return table;
  },
  /** Returns the table once; undefined if it was not handed over. */
  take(id: string): TableInfo | undefined {
    const table = tables.get(id);
    tables.delete(id);
    return table;
  },
};
