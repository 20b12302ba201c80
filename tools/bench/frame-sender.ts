import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { listen } from '#test/support/listen';
import { walkBooks } from './support/book-walk.js';
import { childOptions, serveParent } from './support/children.js';

/** Bytes in one write: about what a busy venue's socket holds when a reader gets to it. */
const CHUNK_BYTES = 64 * 1024;
/** First byte of a whole text frame, and the mark of a 16-bit length (RFC 6455, section 5.2). */
const TEXT_FRAME = 0x81;
const LENGTH_16 = 126;

/**
 * A process that sends walked frames to each client that says a word. The bytes are made before
 * anybody connects and are written past `ws`, so that the reader is what limits the rate.
 */
async function main(): Promise<void> {
  const { marketCount, frameCount } = childOptions<{ marketCount: number; frameCount: number }>();
  const chunks = toChunks(walkBooks(marketCount, frameCount).frames.map(toTextFrame));
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => client.once('message', () => void send(socket, chunks)));
  });
  const port = await listen(server);
  serveParent({ url: `ws://127.0.0.1:${port}` }, {}, async () => void server.close());
}

async function send(socket: Duplex, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) if (!socket.write(chunk)) await once(socket, 'drain');
}

function toTextFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.from([TEXT_FRAME, LENGTH_16, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([head, body]);
}

function toChunks(frames: readonly Buffer[]): Buffer[] {
  const bytes = Buffer.concat(frames);
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES));
}

await main();
