import { createServer, type Socket } from 'node:net';
import pg from 'pg';
import { listen } from './listen.js';

/** What a pooler says to a client that has begun: you are let in, and nothing is under way. */
const WELCOME = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1'), Buffer.from('Z\0\0\0\x05I', 'latin1')]);
const READY = 'Z';
const IDLE = 'I';
/** Messages of a client that the server ends with its word that it is ready. */
const ASKING = ['Q', 'S'];
const HEAD_BYTES = 5;

/** A pooler on loopback. */
export interface TransactionPooler {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts a pooler that lends its few connections for one transaction each and knows nothing of
 * named statements, as PgBouncer before 1.21 in transaction mode.
 */
export async function startTransactionPooler(url: string, connections: number): Promise<TransactionPooler> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  for (const client of clients) client.on('error', () => undefined);
  await Promise.all(clients.map((client) => client.connect()));
  const idle = clients.map((client) => (client as unknown as { connection: { stream: Socket } }).connection.stream);
  const sockets = [...idle];
  for (const socket of sockets)
    socket
      .removeAllListeners('data')
      .on('error', () => undefined)
      .resume();
  const waiting: ((server: Socket) => void)[] = [];
  const giveBack = (server: Socket) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(server);
    else next(server);
  };
  const borrow = () => new Promise<Socket>((lent) => (idle.length > 0 ? lent(idle.pop()!) : waiting.push(lent)));

  const pooler = createServer((near) => {
    near.on('error', () => near.destroy());
    sockets.push(near);
    near.once('data', () => {
      near.write(WELCOME);
      serve(near, borrow, giveBack);
    });
  });
  const port = await listen(pooler);
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => pooler.close(closed));
    },
  };
}

/** Takes a connection for each transaction of a client, and gives it back at its end. */
function serve(near: Socket, borrow: () => Promise<Socket>, giveBack: (server: Socket) => void): void {
  let server: Promise<Socket> | null = null;
  let unanswered = 0;
  const asked = messagesOf((type) => {
    if (ASKING.includes(type)) unanswered++;
  });
  near.on('data', (bytes: Buffer) => {
    if (bytes[0] === 'X'.charCodeAt(0)) return void near.end();
    asked(bytes);
    server ??= borrow().then((lent) => {
      const answered = messagesOf((type, body) => {
        if (type !== READY) return;
        unanswered--;
        if (unanswered > 0 || body.toString('latin1') !== IDLE) return;
        lent.off('data', toClient);
        server = null;
        giveBack(lent);
      });
      const toClient = (answer: Buffer) => {
        near.write(answer);
        answered(answer);
      };
      lent.on('data', toClient);
      return lent;
    });
    void server.then((lent) => lent.write(bytes));
  });
}

/** Returns what takes the bytes of a connection, and tells of each whole message in them. */
function messagesOf(tell: (type: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= HEAD_BYTES) {
      const end = 1 + rest.readUInt32BE(1);
      if (rest.length < end) return;
      const [type, body] = [String.fromCharCode(rest[0]!), rest.subarray(HEAD_BYTES, end)];
      rest = rest.subarray(end);
      tell(type, body);
    }
  };
}
