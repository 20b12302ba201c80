import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs after every build: the compiler leaves the SQL of the migrations where it is, and the
 * program reads it beside itself.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = 'src/server/adapters/postgres/migrations';

cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true });
