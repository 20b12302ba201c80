import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as EarlyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Connected, connectEarlyOver, connectOver } from '#test/server/mcp/support/mcp-clients';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';

/** The command as it is published. */
const PREFLIGHT = join(ROOT, 'dist/client/bin/preflight.js');

/** An official client with a server of its own, as a desktop host starts it. */
export interface StdioHost extends Connected {
  /** What the client could not read. */
  readonly faults: readonly string[];
  /** What the server wrote to standard error. */
  stderr(): string;
}

export interface StdioClient {
  readonly name: string;
  readonly protocolVersion: string;
  connect(url: string, env: Readonly<Record<string, string>>): Promise<StdioHost>;
}

function launched(url: string, env: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env;
  return {
    command: process.execPath,
    args: [...SHORT_LIVED, PREFLIGHT, 'mcp'],
    env: { PATH, PREFLIGHT_URL: url, ...env },
    stderr: 'pipe' as const,
  };
}

function noted(stream: { on(event: 'data', take: (chunk: Buffer) => void): unknown } | null): () => string {
  let text = '';
  stream?.on('data', (chunk) => {
    text += chunk.toString();
  });
  return () => text;
}

/** The official clients of both lines. */
export const STDIO_CLIENTS: readonly StdioClient[] = [
  {
    name: 'client 2.4 that negotiates',
    protocolVersion: '2026-07-28',
    async connect(url, env) {
      const transport = new StdioClientTransport(launched(url, env));
      const faults: string[] = [];
      const stderr = noted(transport.stderr as never);
      return { ...(await connectOver(transport, 'auto', faults)), faults, stderr };
    },
  },
  {
    name: 'sdk 1.32',
    protocolVersion: '2025-11-25',
    async connect(url, env) {
      const received: { protocolVersion?: string; setProtocolVersion?(version: string): void } = {};
      const transport = Object.assign(new EarlyStdioTransport(launched(url, env)), received);
      transport.setProtocolVersion = (version) => {
        transport.protocolVersion = version;
      };
      const faults: string[] = [];
      const stderr = noted(transport.stderr as never);
      return { ...(await connectEarlyOver(transport, faults)), faults, stderr };
    },
  },
];

const SERVER = new URL('../../../../src/client/stdio/serve-stdio.js', import.meta.url).href;

/** A server in a process that prints and then fails, when it was asked twice. */
const NOISY = `
  import { serveStdio } from ${JSON.stringify(SERVER)};
  void serveStdio({ baseUrl: 'http://127.0.0.1:9', ledger: {} });
  console.log('noise');
  console.table([{ more: 'noise' }]);
  process.stdin.on('end', () => { throw new Error('the end of it'); });
`;

/**
 * Runs it; resolves with its standard output. Rejects unless it ended with an error that went to
 * standard error.
 */
export async function noisyServer(): Promise<string> {
  const child = spawn(process.execPath, [...SHORT_LIVED, '--input-type=module', '-e', NOISY]);
  const [stdout, stderr] = [noted(child.stdout), noted(child.stderr)];
  const clientInfo = { name: 'preflight-tests', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const requested = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ];
  child.stdin.write(`not json\n${requested.map((message) => JSON.stringify(message)).join('\n')}\n`);
  while (!stdout().includes('"id":2')) await once(child.stdout, 'data');
  child.stdin.end();
  const [code] = await once(child, 'close');
  const isLoud = code !== 0 && stderr().includes('noise') && stderr().includes('the end of it');
  if (!isLoud) throw new Error(`it ended with ${code}: ${stderr()}`);
  return stdout();
}
