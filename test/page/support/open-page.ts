import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { type Noticed, readNoticed, watch } from './watch.js';

export const THEMES = ['light', 'dark'] as const;
export const WIDTHS = [320, 360, 1440] as const;

export interface PageOptions {
  readonly theme?: (typeof THEMES)[number];
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  readonly javaScript?: boolean;
  /** Faults that the test causes itself. */
  readonly expected?: readonly RegExp[];
  /** Is called before the page is opened: to inject a wallet, to answer a path in another way. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A page in a context of its own: nothing is kept from one to the next. */
export class OpenPage {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #expected: readonly RegExp[];
  readonly #received: string[] = [];
  readonly #loaded: Request[] = [];

  private constructor(context: BrowserContext, page: Page, origin: string, expected: readonly RegExp[]) {
    this.#context = context;
    this.page = page;
    this.#origin = origin;
    this.#expected = expected;
    this.#listen();
  }

  /** Opens `url` and waits until its files are loaded. */
  static async open(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
    const { theme = 'light', width = 1440, height = 900, javaScript = true, prepare, expected = [] } = options;
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: { width, height },
      reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
      javaScriptEnabled: javaScript,
    });
    const page = await context.newPage();
    const open = new OpenPage(context, page, new URL(url).origin, expected);
    if (javaScript) await page.addInitScript(watch);
    await prepare?.(page);
    await page.goto(url, { waitUntil: 'load' });
    return open;
  }

  /** Files that were loaded whole so far, and their size on the wire without headers. */
  async transferred(): Promise<{ readonly requests: number; readonly bytes: number }> {
    const sizes = await Promise.all(this.#loaded.map((request) => request.sizes()));
    return { requests: sizes.length, bytes: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) };
  }

  /** Long tasks, layout shifts and reports of the policy; undefined in a page without script. */
  noticed(): Promise<Noticed> {
    return this.page.evaluate(readNoticed);
  }

  /**
   * What no page may do: errors on the console, requests that fail or leave the origin, and what
   * the policy forbids.
   */
  async faults(): Promise<readonly string[]> {
    const noticed = await this.noticed().catch(() => undefined);
    const all = [...this.#received, ...(noticed?.reports ?? []).map((report) => `forbidden by the policy: ${report}`)];
    return all.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault)));
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  #listen(): void {
    const { page } = this;
    const note = (what: string) => void this.#received.push(what);
    page.on('pageerror', (error) => note(`uncaught: ${error.message}`));
    page.on('console', (line) => {
      if (line.type() === 'error') note(`console: ${line.text()} ${line.location().url}`);
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== this.#origin && protocol.startsWith('http')) note(`request to another origin: ${request.url()}`);
    });
    page.on('requestfinished', (request) => void this.#loaded.push(request));
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // What a page gives up itself, a stream for one, has not failed.
      if (why !== 'net::ERR_ABORTED') note(`request failed: ${request.url()} ${why}`);
    });
  }
}
