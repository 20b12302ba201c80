import { execFile } from 'node:child_process';
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

/**
 * Lists the tools with the official inspector in each era. `--strict` makes it look for schemas that some clients cannot read: a
 * warning counts as a fault.
 */
export async function inspect(inspector: Tool, url: string): Promise<readonly Inspection[]> {
  const found: Inspection[] = [];
  for (const era of ERAS) {
    const name = `inspector ${inspector.version} --strict, era ${era}`;
    found.push({ name, ...(await listTools(inspector, url, era)) });
  }
  return found;
}

function listTools({ node, script }: Tool, url: string, era: string): Promise<Omit<Inspection, 'name'>> {
  const target = ['--cli', url, '--transport', 'http', '--protocol-era', era];
  const args = [script, ...target, '--strict', '--method', 'tools/list'];
  return new Promise((resolve) => {
    execFile(node, args, { timeout: RUN_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX }, (error, _stdout, stderr) =>
      resolve({ ok: error === null && !/warning/i.test(stderr), output: stderr.slice(0, 2_000) || String(error) }),
    );
  });
}
