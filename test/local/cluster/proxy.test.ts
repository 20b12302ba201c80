import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createProxy, inTurn, type Target } from '#local/cluster/proxy';
import { listen } from '#test/support/listen';

interface FakeReplica {
  readonly id: string;
  readonly port: number;
  isWell: boolean;
  readonly seen: IncomingMessage[];
  answer: (req: IncomingMessage, res: ServerResponse) => void;
  readonly server: Server;
}

describe('the proxy of a cluster', () => {
  let replicas: readonly FakeReplica[];
  let proxy: Server;
  let url: string;

  async function startReplica(id: string): Promise<FakeReplica> {
    const seen: IncomingMessage[] = [];
    const server = createServer((req, res) => {
      seen.push(req);
      replica.answer(req, res);
    });
    const port = await listen(server);
    const answer: FakeReplica['answer'] = (_req, res) => void res.end(id);
    const replica: FakeReplica = { id, port, isWell: true, seen, answer, server };
    return replica;
  }

  beforeEach(async () => {
    replicas = await Promise.all(['a', 'b', 'c'].map(startReplica));
    proxy = createProxy(() => replicas);
    url = `http://127.0.0.1:${await listen(proxy)}`;
  });
  afterEach(() => {
    for (const server of [proxy, ...replicas.map((replica) => replica.server)]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const ask = async (init: RequestInit = {}) => {
    const answer = await fetch(`${url}/path?q=1`, init);
    return { status: answer.status, by: answer.headers.get('x-served-by'), body: await answer.text() };
  };

  it('gives each replica its turn and says which one answered', async () => {
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push(await ask());
    expect(answers.map(({ by }) => by)).to.deep.equal(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(answers.map(({ body }) => body)).to.deep.equal(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('passes on method, path, body and headers, and where the caller is', async () => {
    let body = '';
    replicas[0]!.answer = async (req, res) => {
      body = await text(req);
      res.writeHead(418, 'Short and stout', ['Set-Cookie', 'one=1', 'Set-Cookie', 'two=2', 'X-Request-Id', 'abc']);
      res.end('teapot');
    };
    const headers = { 'X-Payment': 'signed', Authorization: 'Bearer tk_1', 'X-Forwarded-For': '203.0.113.7' };
    const answer = await fetch(`${url}/path?q=1`, { method: 'POST', body: '{"usd":250}', headers });
    expect([answer.status, answer.statusText, await answer.text()]).to.deep.equal([418, 'Short and stout', 'teapot']);
    expect(answer.headers.getSetCookie()).to.deep.equal(['one=1', 'two=2']);
    expect(answer.headers.get('x-request-id')).to.equal('abc');
    const [seen] = replicas[0]!.seen;
    expect([seen!.method, seen!.url, body]).to.deep.equal(['POST', '/path?q=1', '{"usd":250}']);
    expect(seen!.headers).to.include({
      host: new URL(url).host,
      'x-payment': 'signed',
      authorization: 'Bearer tk_1',
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
    });
  });

  it('streams both ways: a chunk is there before the next one is written', async () => {
    replicas[0]!.answer = (req, res) => void req.pipe(res);
    const upload = request(url, { method: 'POST' });
    upload.write('first');
    const [answer] = (await once(upload, 'response')) as [IncomingMessage];
    expect(String((await once(answer, 'data'))[0])).to.equal('first');
    upload.end('second');
    expect(await text(answer)).to.equal('second');
  });

  it('tries the next replica, with the whole body, if one takes no connection', async () => {
    replicas[0]!.server.close();
    replicas[1]!.answer = async (req, res) => void res.end(await text(req));
    expect(await ask({ method: 'POST', body: 'paid once' })).to.deep.equal({ status: 200, by: 'b', body: 'paid once' });
  });

  it('tries no other replica once a request was sent: who dies in the middle may have done it', async () => {
    replicas[0]!.answer = (req) => void req.socket.destroy();
    const { status, by, body } = await ask({ method: 'POST', body: 'paid once' });
    expect([status, by]).to.deep.equal([502, 'a']);
    expect(JSON.parse(body)).to.deep.equal({
      error: 'replica a ended before it answered: repeat with the same payment or Idempotency-Key',
      code: 'no_replica',
    });
    expect(replicas.map(({ seen }) => seen.length)).to.deep.equal([1, 0, 0]);
  });

  it('cuts an answer off that its replica does not end, so that nobody takes it for whole', async () => {
    replicas[0]!.answer = (_req, res) => {
      res.write('the first half');
      setImmediate(() => res.destroy());
    };
    const answer = await fetch(url).catch(() => null);
    const whole = await answer?.text().catch(() => null);
    expect(whole ?? null).to.equal(null);
  });

  it('says at once, and that nothing was sent, if no replica takes connections', async () => {
    for (const { server } of replicas) server.close();
    const { status, by, body } = await ask();
    expect([status, by]).to.deep.equal([502, null]);
    expect(JSON.parse(body).error).to.include('nothing was sent, and nothing was charged');
  });

  it('gives an answer up when its caller leaves', async () => {
    const left = new Promise<void>((resolve) => {
      replicas[0]!.answer = (_req, res) => {
        res.write('working');
        res.once('close', resolve);
      };
    });
    const leaving = new AbortController();
    await fetch(url, { signal: leaving.signal });
    leaving.abort();
    await left;
  });

  it('asks who is unwell last, and who is well in turn', () => {
    const target = (id: string, isWell: boolean): Target => ({ id, port: 1, isWell });
    const ids = (turn: number, ...targets: readonly Target[]) =>
      inTurn(targets, turn)
        .map(({ id }) => id)
        .join('');
    const [a, b, c] = [target('a', true), target('b', false), target('c', true)];
    expect([0, 1, 2].map((turn) => ids(turn, a, b, c))).to.deep.equal(['acb', 'cab', 'acb']);
    expect(ids(5, target('a', false), target('b', false))).to.equal('ab');
    expect(ids(5)).to.equal('');
  });
});
