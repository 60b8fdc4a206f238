/** Where a table lives: with a server, or on this device. */
export type Where = 'server' | 'device';

/** The ids of tables on this device begin with this; those of a server never do. */
const ON_DEVICE = 'local-';

export const isOnDevice = (table: string): boolean => table.startsWith(ON_DEVICE);

/** Where a request belongs, by its path below `/api/v1`. */
export const whereIs = (path: string): Where => (path.startsWith(`/tables/${ON_DEVICE}`) ? 'device' : 'server');
