import { PassThrough } from 'node:stream';
import { type StdioOptions, serveStdio } from '#client/stdio/serve-stdio';

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes.
type Json = any;

/** A host that writes and reads lines itself, with the server in the same process. */
export interface RawHost {
  /** Everything that the server wrote, line by line. */
  readonly lines: readonly string[];
  /** What the server told its operator. */
  readonly logged: readonly string[];
  /** Sends bytes as they are. */
  write(bytes: string): void;
  notify(method: string, params: object): void;
  /** Resolves with the answer to a request; `id` is the number by which it can be cancelled. */
  ask(method: string, params?: object, id?: number): Promise<Json>;
  /** Calls a tool; resolves with its result. */
  call(name: string, args?: object, id?: number): Promise<Json>;
  /** Closes the host's end, and resolves when the server is over. */
  end(): Promise<void>;
}

/**
 * Starts a server and opens the connection in a revision of 2025 or before, unless told otherwise.
 */
export async function openRawHost(
  options: Omit<StdioOptions, 'input' | 'output'>,
  revision: string | null = '2025-11-25',
) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const logged: string[] = [];
  const waiting = new Map<number, (message: Json) => void>();
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      const message = JSON.parse(line) as Json;
      waiting.get(message.id)?.(message);
    }
  });
  const over = serveStdio({ log: (line) => void logged.push(line), ...options, input, output });
  let lastId = 0;
  const write = (bytes: string) => void input.write(bytes);
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method: string, params: object = {}, id = ++lastId) =>
    new Promise<Json>((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const host: RawHost = {
    lines,
    logged,
    write,
    notify: (method, params) => send({ method, params }),
    ask,
    call: async (name, args = {}, id = ++lastId) => {
      const { result, error } = await ask('tools/call', { name, arguments: args }, id);
      return result ?? { error };
    },
    async end() {
      input.end();
      await over;
    },
  };
  if (revision !== null) {
    const clientInfo = { name: 'preflight-tests', version: '1' };
    await ask('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
    host.notify('notifications/initialized', {});
  }
  return host;
}
