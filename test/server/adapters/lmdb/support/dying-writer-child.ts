/**
 * Opens the store at a path, commits some times, and dies in the middle of a transaction, with the
 * lock of whoever writes.
 */

import { CREDITS_FILE_VERSION } from '#adapters/lmdb/file-versions';
import { openLmdbFile } from '#adapters/lmdb/open';

const [path = ''] = process.argv.slice(2);
const db = openLmdbFile({ path, version: CREDITS_FILE_VERSION, remedy: '' });
for (const key of ['meta/one', 'meta/two', 'meta/three']) db.putSync(key, key);
db.transactionSync(() => void process.kill(process.pid, 'SIGKILL'));
