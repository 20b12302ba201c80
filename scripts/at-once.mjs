import { spawn } from 'node:child_process';

/**
 * Runs commands at once, one argument each, and fails if one fails:
 * `node scripts/at-once.mjs 'tsc -p a' 'node b.mjs'`.
 */
const codes = await Promise.all(
  process.argv.slice(2).map(
    (command) =>
      new Promise((done) => {
        spawn(command, { shell: true, stdio: 'inherit' }).once('close', (code) => done(code ?? 1));
      }),
  ),
);
process.exitCode = Math.max(...codes);
