import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '#test/support/source-tree';
import type { Tool } from './tools-install.js';

/** What the inspector says in one era of the protocol. */
export interface Inspection {
  readonly name: string;
  readonly ok: boolean;
  readonly output: string;
}

const ERAS = ['legacy', 'modern', 'auto'] as const;
const RUN_MS_MAX = 60_000;
const OUTPUT_BYTES_MAX = 16 * 1_024 * 1_024;

/** Lists the tools of the service at /mcp. */
export function inspectHttp(inspector: Tool, url: string): Promise<readonly Inspection[]> {
  return inspect(inspector, 'over HTTP', [`${url}/mcp`, '--transport', 'http']);
}

/**
 * Lists the tools of the client's server on stdio, which the inspector starts as a desktop host
 * does.
 */
export function inspectStdio(inspector: Tool, url: string): Promise<readonly Inspection[]> {
  const command = [process.execPath, join(ROOT, 'dist/client/bin/preflight.js'), 'mcp'];
  return inspect(inspector, 'on stdio', ['--transport', 'stdio', '-e', `PREFLIGHT_URL=${url}`, ...command]);
}

/**
 * Lists the tools with the official inspector in each era. `--strict` makes it look for schemas
 * that some clients cannot read: a warning counts as a fault.
 */
async function inspect(inspector: Tool, where: string, target: readonly string[]): Promise<readonly Inspection[]> {
  const found: Inspection[] = [];
  for (const era of ERAS) {
    const name = `inspector ${inspector.version} --strict, era ${era}, ${where}`;
    found.push({ name, ...(await listTools(inspector, target, era)) });
  }
  return found;
}

function listTools({ node, script }: Tool, target: readonly string[], era: string): Promise<Omit<Inspection, 'name'>> {
  const args = [script, '--cli', '--protocol-era', era, '--strict', '--method', 'tools/list', ...target];
  return new Promise((resolve) => {
    execFile(node, args, { timeout: RUN_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX }, (error, _stdout, stderr) =>
      resolve({ ok: error === null && !/warning/i.test(stderr), output: stderr.slice(0, 2_000) || String(error) }),
    );
  });
}
