import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { jwks } from '#discovery/jwks';
import { launchChromium, needChromium } from '#test/page/support/chromium';
import { CONFIG } from '#test/support/discovery';
import { ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';
import { type LoopbackServer, startLoopbackServer } from '#test/support/loopback-server';
import { ROOT } from '#test/support/source-tree';

const ANSWERS = 20;
const SEED = 7;

describe('evidence in a page of Chromium', function () {
  this.timeout(60_000);
  const home = newEvidenceFixture();
  const keys = jwks({ ...CONFIG, evidenceKeys: home.keys }).body;
  let server: LoopbackServer;
  let browser: Browser;
  let page: Page;

  before(async function () {
    needChromium(this);
    server = await startLoopbackServer();
    server.answer(({ url }, response) => {
      const isPage = url === '/';
      const body = isPage ? '<!doctype html><title>page</title>' : readFileSync(join(ROOT, 'dist/client/dist', url));
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' }).end(body);
    });
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(server.baseUrl);
  });
  after(async () => {
    home.remove();
    await browser?.close();
    await server?.close();
  });

  /**
   * Returns for each answer the names of the checks that do not hold, as the package finds them in
   * the page.
   */
  const faultsInPage = (answers: readonly string[]): Promise<readonly (readonly string[])[]> =>
    page.evaluate(
      async ({ answers, keys, issuer }) => {
        const path = '/engine.js';
        const { parseJwks, verifyAnswer } = await import(path);
        const found = answers.map((text) => verifyAnswer(JSON.parse(text), { jwks: parseJwks(keys), issuer }));
        const verified: { checks: { name: string; holds: boolean | null }[] }[] = await Promise.all(found);
        return verified.map(({ checks }) => checks.filter(({ holds }) => holds === false).map(({ name }) => name));
      },
      { answers, keys, issuer: ISSUER },
    );

  const answersOf = (count: number): Promise<string[]> =>
    Promise.all(
      fc
        .sample(arbitraryDatedQuestion, { seed: SEED, numRuns: count })
        .map((requested) => answerWithEvidence(requested, home)),
    );

  it('holds as it holds in Node', async () => {
    expect(await faultsInPage(await answersOf(ANSWERS))).to.deep.equal(Array(ANSWERS).fill([]));
  });

  it('does not hold when a number of the answer was changed', async () => {
    const [text] = await answersOf(1);
    const body = JSON.parse(text!);
    body.numbers.best_price += 0.01;
    const [faults] = await faultsInPage([JSON.stringify(body)]);
    expect(faults).to.deep.equal(['best_price', 'numbers']);
  });

  it('is verified by the SDK, which loads the engine only then', async () => {
    const [text] = await answersOf(1);
    const young = await browser.newPage();
    await young.goto(server.baseUrl);
    const loaded = () => server.seen.slice(before).map(({ url }) => url);
    const before = server.seen.length;
    await young.evaluate((path) => import(path), '/index.js');
    expect(loaded().join(' '))
      .to.include('/index.js')
      .and.not.match(/verify/);
    const holds = await young.evaluate(
      async ({ path, text, keys, issuer }) => {
        const { Preflight } = await import(path);
        const preflight = new Preflight({ baseUrl: issuer });
        return (await preflight.verify(JSON.parse(text), { jwks: JSON.parse(keys) })).holds;
      },
      { path: '/index.js', text: text!, keys, issuer: ISSUER },
    );
    expect(holds).to.equal(true);
    expect(loaded().join(' ')).to.match(/verify/);
  });
});
