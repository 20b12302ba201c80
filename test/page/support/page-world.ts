import { rmSync } from 'node:fs';
import { expect } from 'chai';
import type { Suite } from 'mocha';
import type { Browser } from 'playwright-core';
import { type LocalProcess, startLocalProcess } from '#test/support/local-process';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { launchChromium, needChromium } from './chromium.js';
import { OpenPage, type PageOptions } from './open-page.js';

/** One local profile and one browser for all tests of pages in a run. */
export class PageWorld {
  #local: LocalProcess | null = null;
  #browser: Browser | null = null;
  readonly #open: OpenPage[] = [];
  readonly #faults: string[] = [];

  /** The running local profile. */
  get local(): LocalProcess {
    if (this.#local === null)
      throw new Error('the local profile is started before the tests, not while they are declared');
    return this.#local;
  }

  get browser(): Browser {
    if (this.#browser === null) throw new Error('the browser is started before the tests, not while they are declared');
    return this.#browser;
  }

  /**
   * Opens a page of the service by its path. It is closed after the test; the run fails if a page
   * did what none may.
   */
  async open(path: string, options: PageOptions = {}): Promise<OpenPage> {
    const opened = await OpenPage.open(this.browser, this.local.facts.url + path, options);
    this.#open.push(opened);
    return opened;
  }

  /**
   * Puts faults of the venue into force (src/local/README.md, "Faults"). They are cleared after the
   * test.
   */
  async venueFaults(command: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = await fetch(`${this.local.facts.venue.controlUrl}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    expect(answer.status, await answer.text()).to.equal(200);
  }

  /** `args` are those of `npm start`. */
  async start(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<void> {
    [this.#local, this.#browser] = await Promise.all([startLocalProcess({ env, args }), launchChromium()]);
  }

  /** Closes the pages of a test, whose title is kept beside what they did that no page may do. */
  async endTest(title: string): Promise<void> {
    const faults = await Promise.all(this.#open.map((page) => page.faults()));
    this.#faults.push(...faults.flat().map((fault) => `${title}: ${fault}`));
    await Promise.all(this.#open.splice(0).map((page) => page.close()));
    if (this.#local !== null) await this.venueFaults({ clear: true });
  }

  /** Stops everything. Rejects if any page did what none may. */
  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.#local?.end('SIGKILL');
    if (this.#local !== null) rmSync(this.#local.dataDir, { recursive: true, force: true });
    expect(this.#faults, 'what no page may do').to.deep.equal([]);
  }
}

/**
 * Starts the world before the tests of the suite and stops it after them. Skips them loudly where
 * there is no browser.
 */
export function usePages(
  suite: Suite,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): PageWorld {
  const world = new PageWorld();
  suite.timeout(PROCESS_TEST_MS);
  suite.beforeAll('start the local profile and the browser', async function () {
    needChromium(this);
    await world.start(env, args);
  });
  suite.afterEach('close the pages', function () {
    return world.endTest(this.currentTest?.fullTitle() ?? '');
  });
  suite.afterAll('stop the local profile and the browser, and nothing done that no page may do', () => world.stop());
  return world;
}
