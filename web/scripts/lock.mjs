// After `npm install`: takes the addresses of sponsors out of the lock file. No lock file of ours names a host.
import { readFile, writeFile } from 'node:fs/promises';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(await readFile(file, 'utf8'));
for (const entry of Object.values(lock.packages)) {
  delete entry.funding;
  delete entry.resolved;
}
await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
