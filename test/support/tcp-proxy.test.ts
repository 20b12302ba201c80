import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { listen } from './listen.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

describe('a line that can be cut', () => {
  let server: Server;
  let line: TcpProxy;
  let clients: Socket[];
  let port: number;

  beforeEach(async () => {
    clients = [];
    server = createServer((socket) => socket.on('error', () => {}).pipe(socket));
    port = await listen(server);
    line = await startTcpProxy(port);
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    await line.close();
    await new Promise((resolve) => server.close(resolve));
  });

  async function open(): Promise<Socket> {
    const client = connect(line.port, '127.0.0.1');
    clients.push(client.on('error', () => {}));
    await once(client, 'connect');
    return client;
  }

  const closed = (client: Socket) => new Promise((resolve) => client.once('close', resolve));

  async function echo(client: Socket, text: string): Promise<string> {
    client.write(text);
    const [data] = (await once(client, 'data')) as [Buffer];
    return data.toString();
  }

  /**
   * What comes first: an answer, or the answer to a question that is asked of another line
   * meanwhile.
   */
  async function isSilent(client: Socket): Promise<boolean> {
    const other = await startTcpProxy(port);
    const beside = connect(other.port, '127.0.0.1');
    const answered = once(client, 'data').then(() => false);
    answered.catch(() => {});
    const silent = echo(beside, 'beside').then(() => true);
    const first = await Promise.race([answered, silent]);
    beside.destroy();
    await other.close();
    return first;
  }

  it('carries both ways', async () => {
    expect(await echo(await open(), 'hello')).to.equal('hello');
  });

  it('breaks connections when it is reset, lets no new one through, and carries again when it is healed', async () => {
    const client = await open();
    await echo(client, 'hello');
    line.cut('reset');
    await closed(client);
    const refused = connect(line.port, '127.0.0.1').on('error', () => {});
    clients.push(refused);
    await closed(refused);
    line.heal();
    expect(await echo(await open(), 'again')).to.equal('again');
  });

  it('answers nothing as a black hole, and carries what was sent meanwhile when it is healed', async () => {
    const client = await open();
    await echo(client, 'hello');
    line.cut('black hole');
    client.write('lost?');
    expect(await isSilent(client)).to.equal(true);
    const arrived = once(client, 'data') as Promise<[Buffer]>;
    line.heal();
    expect((await arrived)[0].toString()).to.equal('lost?');
  });
});
