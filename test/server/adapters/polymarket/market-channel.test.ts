import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { type WebSocket, WebSocketServer } from 'ws';
import { connectMarketChannel, type MarketChannelOptions } from '#adapters/polymarket/market-channel';
import { listen as listenOn } from '#test/support/listen';

interface Received {
  readonly texts: string[];
  readonly closes: string[];
  opens: number;
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
};
const settle = () => new Promise((resolve) => setTimeout(resolve, 30));

function listen(url: string, options: MarketChannelOptions = {}) {
  const received: Received = { texts: [], closes: [], opens: 0 };
  const socket = connectMarketChannel(
    url,
    options,
  )({
    onOpen: () => received.opens++,
    onText: (bytes) => received.texts.push(bytes.toString('utf8')),
    onClose: (reason) => received.closes.push(reason),
  });
  return { received, socket };
}

describe('a connection to the market channel', () => {
  let server: WebSocketServer;
  let url: string;

  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
    await once(server, 'listening');
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/market`;
  });
  afterEach(async () => {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  });

  async function connected(options: MarketChannelOptions = {}) {
    const accepted = once(server, 'connection') as Promise<[WebSocket, { headers: Record<string, string> }]>;
    const { received, socket } = listen(url, options);
    const [peer, request] = await accepted;
    await until(() => received.opens === 1);
    return { received, socket, peer, request };
  }

  it('brings text in both directions, uncompressed even where the venue offers to compress', async () => {
    const { received, socket, peer, request } = await connected();
    expect(request.headers).to.not.have.property('sec-websocket-extensions');
    expect(request.headers['user-agent']).to.match(/^preflight\//);
    const message = once(peer, 'message');
    socket.send('PING');
    expect(String((await message)[0])).to.equal('PING');
    peer.send('{"event_type":"book"}');
    peer.send(Buffer.from('é binary'));
    await until(() => received.texts.length === 2);
    expect(received.texts).to.deep.equal(['{"event_type":"book"}', 'é binary']);
  });

  it('tells once that the venue closed, with what it said', async () => {
    const { received, peer } = await connected();
    peer.close(1001, 'going away');
    await until(() => received.closes.length > 0);
    await settle();
    expect(received.closes).to.deep.equal(['closed (1001, going away)']);
  });

  it('tells once that the connection broke', async () => {
    const { received, peer } = await connected();
    peer.terminate();
    await until(() => received.closes.length > 0);
    await settle();
    expect(received.closes).to.deep.equal(['closed (1006)']);
  });

  it('tells once that it was closed by us, and is deaf and dumb from then on', async () => {
    const { received, socket, peer } = await connected();
    const sent: string[] = [];
    peer.on('message', (data) => sent.push(String(data)));
    socket.close();
    socket.close();
    socket.send('late');
    peer.send('late');
    await until(() => received.closes.length > 0);
    await settle();
    expect(received).to.deep.equal({ opens: 1, texts: [], closes: ['closed by us'] });
    expect(sent).to.deep.equal([]);
  });

  it('does not wait for the goodbye of a venue that is frozen', async () => {
    const { received, socket, peer } = await connected({ goodbyeTimeoutMs: 20 });
    peer.pause();
    socket.close();
    await until(() => received.closes.length > 0);
    expect(received.closes).to.deep.equal(['closed by us']);
  });

  it('closes on a frame beyond its limit', async () => {
    const { received, peer } = await connected({ frameBytesMax: 1_000 });
    peer.send('x'.repeat(1_001));
    await until(() => received.closes.length > 0);
    expect(received.closes).to.have.length(1);
    expect(received.closes[0]).to.match(/max payload/i);
    expect(received.texts).to.deep.equal([]);
  });

  it('tells once, and throws nothing, where nobody listens', async () => {
    const { received, socket } = listen('ws://127.0.0.1:1/ws/market');
    socket.send('too early');
    await until(() => received.closes.length > 0);
    await settle();
    expect(received.opens).to.equal(0);
    expect(received.closes).to.have.length(1);
    expect(received.closes[0]).to.contain('ECONNREFUSED');
  });

  it('tells once that the venue answers no handshake in time', async () => {
    const mute = createServer((socket) => socket.resume());
    const address = `ws://127.0.0.1:${await listenOn(mute)}`;
    const { received } = listen(address, { handshakeTimeoutMs: 30 });
    await until(() => received.closes.length > 0);
    await settle();
    expect(received.closes).to.deep.equal(['Opening handshake has timed out']);
    await new Promise((resolve) => mute.close(resolve));
  });

  it('tells once where it is closed before it opened', async () => {
    const { received, socket } = listen(url);
    socket.close();
    await until(() => received.closes.length > 0);
    await settle();
    expect(received).to.deep.equal({ opens: 0, texts: [], closes: ['closed by us'] });
    socket.close();
  });

  it('follows no redirect', async () => {
    const redirector = createHttpServer().on('upgrade', (_, socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ${url}\r\nConnection: close\r\n\r\n`),
    );
    const { received } = listen(`ws://127.0.0.1:${await listenOn(redirector)}`);
    await until(() => received.closes.length > 0);
    expect(received).to.deep.equal({ opens: 0, texts: [], closes: ['Unexpected server response: 302'] });
    await new Promise((resolve) => redirector.close(resolve));
  });

  it('refuses an address that is no web socket at once, because that is a fault of the configuration', () => {
    expect(() => connectMarketChannel('https://example.org')).to.throw(TypeError);
    expect(() => connectMarketChannel('not an address')).to.throw(TypeError);
  });
});
