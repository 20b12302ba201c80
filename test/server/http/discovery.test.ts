import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { systemClock } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import { discovery } from '#discovery/discovery-files';
import { createSend } from '#http/answers/answer';
import { discoveryRoutes } from '#http/routes/discovery.routes';
import { mountRoutes } from '#http/routes/routes';
import { createLogger } from '#server/log';
import { CONFIG, FILES } from '#test/support/discovery';

/** Serves the documents as the door does. */
function serve() {
  const app = express();
  app.disable('etag');
  app.use((req, _res, next) => {
    Object.assign(req, { requestId: 'r1', startedAtMs: systemClock.elapsedMs() });
    next();
  });
  const log = createLogger('error', { write: () => {} });
  const send = createSend({
    log,
    clock: systemClock,
    timers: systemTimers,
    draining: () => false,
    answeredEarly: () => {},
    metrics: null,
  });
  mountRoutes(app, { routes: discoveryRoutes(discovery(CONFIG)) }, send, log);
  return app.listen(0, '127.0.0.1');
}

describe('documents over HTTP', () => {
  const server = serve();
  let url: string;
  before(() => {
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => void server.close());

  for (const { path, body, contentType, cacheSeconds } of FILES) {
    it(`serves ${path} to anybody, to be kept for a while`, async () => {
      const response = await fetch(url + path, { headers: { Origin: 'https://directory.example' } });
      expect(response.status).to.equal(200);
      expect(await response.text()).to.equal(body);
      expect(response.headers.get('content-type')).to.equal(contentType);
      expect(response.headers.get('cache-control')).to.equal(`public, max-age=${cacheSeconds}`);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      expect(response.headers.get('etag')).to.match(/^"[\w-]{22}"$/);
    });
  }

  const llms = (headers: Record<string, string>) => fetch(`${url}/llms.txt`, { headers });

  it('does not send a document again to whoever has it', async () => {
    const etag = (await llms({})).headers.get('etag')!;
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await llms({ 'If-None-Match': given });
      expect(again.status, given).to.equal(304);
      expect(await again.text()).to.equal('');
      expect(again.headers.get('etag')).to.equal(etag);
      expect(again.headers.get('content-type')).to.equal(null);
    }
    const changed = await llms({ 'If-None-Match': '"other"' });
    expect(changed.status).to.equal(200);
  });

  it('has another tag for another document', async () => {
    const tags = await Promise.all(FILES.map(async ({ path }) => (await fetch(url + path)).headers.get('etag')));
    // The server card is served at two places.
    expect(new Set(tags).size).to.equal(FILES.length - 1);
  });

  it('answers other methods with what is allowed', async () => {
    const response = await fetch(`${url}/llms.txt`, { method: 'POST' });
    expect(response.status).to.equal(405);
    expect(response.headers.get('allow')).to.include('GET');
  });
});
