import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { writeAnswersWhole } from '#http/answers/one-write';

/** Serves for as long as the use of it takes. */
async function serving<T>(listener: RequestListener, use: (port: number, server: Server) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  server.on('connection', writeAnswersWhole);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use((server.address() as AddressInfo).port, server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Returns one answer, and how many writes of one text it took. */
function fetched(listener: RequestListener): Promise<{ readonly text: string; readonly writes: number }> {
  return serving(listener, async (port, server) => {
    let writes = 0;
    server.on('connection', (socket) => {
      const { _write: write } = socket;
      socket._write = (...args) => {
        writes++;
        write.apply(socket, args);
      };
    });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    return { text: await answer.text(), writes };
  });
}

describe('an answer on its connection', () => {
  for (const [what, body] of [
    ['a text', 'plain'],
    ['a text beyond ASCII', 'é – 🗳️ 日本'],
    ['more than the stack of a write holds', 'é'.repeat(100_000)],
  ] as const) {
    it(`goes out in one write: ${what}`, async () => {
      const headers = { 'Content-Length': Buffer.byteLength(body) };
      const { text, writes } = await fetched((_, res) => res.writeHead(200, headers).end(body));
      expect(text).to.equal(body);
      expect(writes).to.equal(1);
    });
  }

  it('goes out as a list where it is more than one piece', async () => {
    const bytes = Buffer.from('bytes');
    const { text, writes } = await fetched((_, res) => res.writeHead(200, { 'Content-Length': 5 }).end(bytes));
    expect(text).to.equal('bytes');
    expect(writes).to.equal(0);
  });

  it('is finished once it is written, and leaves its connection to the next one', async () => {
    const events: string[] = [];
    const listener: RequestListener = (req, res) => {
      res.on('finish', () => events.push('finished')).on('close', () => events.push('closed'));
      res.writeHead(200, { 'Content-Length': 2 }).end(req.url);
    };
    const bodies = await serving(listener, async (port) => {
      const client = connect(port, '127.0.0.1');
      client.write(['/1', '/2', '/3'].map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
      let seen = '';
      for await (const chunk of client) {
        seen += String(chunk);
        if (seen.endsWith('/3')) break;
      }
      return seen.match(/(?<=\r\n\r\n)\/\d/g);
    });
    expect(bodies).to.deep.equal(['/1', '/2', '/3']);
    expect(events).to.have.members(['finished', 'finished', 'finished', 'closed', 'closed', 'closed']);
  });
});
