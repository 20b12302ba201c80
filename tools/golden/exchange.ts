import { connect } from 'node:net';

/** An answer as it came over the wire, headers in their order and spelling. */
export interface Answer {
  readonly status: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const ANSWER_MS_MAX = 60_000;

/**
 * Sends bytes as they are and returns the first answer on the connection; the request must ask for
 * its end.
 */
export async function exchange(port: number, bytes: string | Buffer): Promise<Answer> {
  const text = await allThatComes(port, bytes);
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return { status: text === '' ? 'closed without an answer' : text, headers: [], body: '' };
  const [status = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = lines.map((line) => [line.split(':')[0]!, line.replace(/^[^:]*: ?/, '')] as const);
  return { status, headers, body: text.slice(headEnd + 4) };
}

function allThatComes(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error(`no end of the answer in ${ANSWER_MS_MAX} ms`)));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.write(bytes);
  });
}

export type Headers = Readonly<Record<string, string>>;

/** Returns the bytes of a request whose connection is closed after the answer. */
export function request(method: string, path: string, headers: Headers = {}, body: string | null = null): string {
  const own = { Host: 'preflight.example', Connection: 'close', ...headers };
  const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...own, ...length }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`;
}

export function get(path: string, headers: Headers = {}): string {
  return request('GET', path, headers);
}

export function postJson(path: string, body: unknown, headers: Headers = {}): string {
  return request('POST', path, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(body));
}
