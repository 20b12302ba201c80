import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs after every build: writes the entry points that operators and scripts name,
 * `dist/src/main.js` and `dist/src/cli/main.js`, which load the service and its command from where
 * they are compiled to.
 */
const OUT = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist/src');

writeFileSync(join(OUT, 'main.js'), "import './server/main.js';\n");
mkdirSync(join(OUT, 'cli'), { recursive: true });
writeFileSync(join(OUT, 'cli/main.js'), "import '../server/cli/main.js';\n");
