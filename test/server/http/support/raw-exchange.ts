import { connect, type Socket } from 'node:net';

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes as they are and returns all that came back until the server closed the connection.
 */
export function exchangeBytes(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}

/**
 * Sends a head and then piece after piece until the server ends the connection, each when the one
 * before it is written. Returns what came back.
 */
export function exchangeEndless(port: number, head: string, piece: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
    let received = '';
    const more = () => {
      if (socket.destroyed) return;
      socket.write(piece, () => setImmediate(more));
    };
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('end', () => socket.destroy());
    // The server has closed with bytes on their way to it.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(received));
    socket.write(head, more);
  });
}

/** Splits the answers in a stream of them; every one must say its Content-Length. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ''; ) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) throw new Error(`not an HTTP answer: ${JSON.stringify(rest.slice(0, 80))}`);
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.replace(/^[^:]*: /, '')]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.slice(headEnd + 4, headEnd + 4 + length);
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body });
    rest = rest.slice(headEnd + 4 + length);
  }
  return answers;
}

/** Sends bytes and returns the one answer. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const answers = parseAnswers(await exchangeBytes(port, bytes));
  if (answers.length !== 1) throw new Error(`${answers.length} answers instead of one`);
  return answers[0]!;
}
