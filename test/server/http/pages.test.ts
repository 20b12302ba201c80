import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ManualClock } from '#test/support/manual-clock';
import { type Door, openDoor } from './support/door.js';
import { getBytes } from './support/get-bytes.js';

const HTML = '<!doctype html><title>a page</title>';
const MISSING = '<!doctype html><title>no such page</title>';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const FORMS = { identity: Buffer.from('whole'), br: Buffer.from('brotli'), gzip: Buffer.from('gzip') };
const ASSET = '/assets/one-ABC.js';

describe('pages', () => {
  const clock = new ManualClock();
  let door: Door;
  let made = 0;
  const live = { path: '/status', html: HTML, at: () => `<!doctype html>${++made}` };

  before(async () => {
    const asset = { path: ASSET, contentType: 'text/javascript; charset=utf-8', forms: FORMS };
    door = await openDoor({
      deps: {
        clock,
        pages: {
          documents: [{ path: '/', html: HTML }, live],
          assets: [asset],
          missing: () => MISSING,
          docsIndex: () => '[]',
        },
      },
    });
  });
  after(() => door.stop());

  const get = (path: string, headers: Record<string, string> = {}) => getBytes(door.url + path, headers);

  it('are HTML for those who ask for HTML', async () => {
    const { status, headers, body } = await get('/', { accept: BROWSER });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(body.toString()).to.equal(HTML);
  });

  for (const accept of [undefined, '*/*', 'application/json', 'image/png']) {
    it(`are a list of links for those who accept ${accept ?? 'whatever there is'}`, async () => {
      const { status, headers, body } = await get('/', accept === undefined ? {} : { accept });
      expect(status).to.equal(200);
      expect(headers['content-type']).to.match(/^application\/json/);
      expect(JSON.parse(body.toString())).to.include({ spec: '/llms.txt', status: '/status.json' });
    });
  }

  it('have one policy, which lets a page run its own files and nothing else', async () => {
    const { headers } = await get('/', { accept: BROWSER });
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';form-action 'none';" +
        "base-uri 'none';frame-ancestors 'none';require-trusted-types-for 'script'",
    );
    expect(headers['referrer-policy']).to.equal('no-referrer');
    expect(headers['permissions-policy']).to.match(/camera=\(\), .*usb=\(\)/);
    expect(headers).to.not.have.any.keys('set-cookie', 'access-control-allow-origin');
  });

  it('leave the policy of all other answers as it is', async () => {
    const { headers } = await get('/', { accept: 'application/json' });
    expect(headers['content-security-policy']).to.equal("default-src 'none';frame-ancestors 'none'");
  });

  it('are sent compressed as the reader wants them', async () => {
    const br = await get('/', { accept: BROWSER, 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers['content-encoding']).to.equal('br');
    expect(brotliDecompressSync(br.body).toString()).to.equal(HTML);
    const gzip = await get('/', { accept: BROWSER, 'accept-encoding': 'gzip' });
    expect(gunzipSync(gzip.body).toString()).to.equal(HTML);
    expect(gzip.headers.vary).to.equal('Accept, Accept-Encoding');
  });

  it('are not sent again to those who have them', async () => {
    const first = await get('/', { accept: BROWSER });
    const again = await get('/', { accept: BROWSER, 'if-none-match': first.headers.etag! });
    expect(again).to.deep.include({ status: 304, body: Buffer.alloc(0) });
    const otherForm = { accept: BROWSER, 'accept-encoding': 'br', 'if-none-match': first.headers.etag! };
    expect((await get('/', otherForm)).status).to.equal(200);
  });

  it('of this moment are made at most once a second, are kept by nobody, and come compressed', async () => {
    const requested = await Promise.all(Array.from({ length: 20 }, () => get('/status', { accept: BROWSER })));
    expect(new Set(requested.map(({ body }) => body.toString()))).to.deep.equal(new Set(['<!doctype html>1']));
    clock.advance(1_000);
    expect((await get('/status', { accept: BROWSER })).body.toString()).to.equal('<!doctype html>2');
    expect(requested[0]!.headers).to.include({ 'cache-control': 'private, no-store', vary: 'Accept, Accept-Encoding' });
    const gzip = await get('/status', { accept: BROWSER, 'accept-encoding': 'gzip, br' });
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(gzip.body).toString()).to.equal('<!doctype html>2');
    expect(JSON.parse((await get('/status')).body.toString())).to.include({ status: '/status.json' });
  });

  it('load files that may be kept for a year, in the form that was made at build', async () => {
    const { status, headers, body } = await get(ASSET, { 'accept-encoding': 'br' });
    expect(status).to.equal(200);
    expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect(headers['content-type']).to.equal('text/javascript; charset=utf-8');
    expect(body).to.deep.equal(FORMS.br);
  });

  it('stand in for what is not there when a browser asks, and no program sees that', async () => {
    const { status, headers, body } = await get('/nowhere?x=1', { accept: BROWSER });
    expect({ status, body: body.toString() }).to.deep.equal({ status: 404, body: MISSING });
    expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept' });
    expect(headers['content-security-policy']).to.include("script-src 'self'");
    for (const [path, accept] of [
      ['/nowhere', '*/*'],
      ['/nowhere', 'application/json'],
      ['/api/nowhere', BROWSER],
      ['/.well-known/nowhere', BROWSER],
    ] as const) {
      const answer = await get(path, { accept });
      expect(answer.status).to.equal(404);
      expect(JSON.parse(answer.body.toString()).code, `${path} ${accept}`).to.equal('not_found');
    }
  });

  it('are found with a slash behind their address by browsers', async () => {
    const moved = await get('/status/?a=b', { accept: BROWSER });
    expect(moved.status).to.equal(308);
    expect(moved.headers).to.include({ location: '/status?a=b', vary: 'Accept' });
    expect((await get('/status/')).status).to.equal(404);
    expect((await get('//other.example/', { accept: BROWSER })).status).to.equal(404);
  });

  it('answer in JSON for a file that is not there', async () => {
    const { status, body } = await get('/assets/two-ABC.js', { accept: BROWSER });
    expect(status).to.equal(404);
    expect(JSON.parse(body.toString()).code).to.equal('not_found');
  });
});
