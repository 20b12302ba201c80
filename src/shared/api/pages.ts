import type { DocsPage } from './docs-page.js';
import type { Scoreboard } from './scoreboard.js';
import type { StatusReport } from './status.js';
import type { StatusHistory } from './status-history.js';

/** What the pages say of this deployment, beside what is the same in every one. */
export interface PageFacts {
  readonly baseUrl: string;
  readonly payeeAddress: string;
  readonly usdcAddress: string;
  readonly supportEmail: string;
  /** A sentence on top of every page, as in the payment terms; absent: there is none. */
  readonly note?: string | undefined;
  /** Makes the documentation; `sdk` is the name of the package of the SDK. */
  readonly docs: (sdk: string) => readonly DocsPage[];
}

/**
 * Where the files of the pages are served: paths from the root, with the hash of what is in them.
 */
export interface PageAssets {
  /** By page, and for addresses where there is none under `missing`. */
  readonly styles: Readonly<Record<PageName | 'missing', string>>;
  /** Runs before anything is painted: sets the theme that was chosen here before. */
  readonly theme: string;
  /**
   * By page: its module, and the modules that this one imports at once. A page without one has no
   * script.
   */
  readonly modules: Readonly<Record<string, readonly string[]>>;
  /** Name of the package of the SDK. */
  readonly sdk: string;
}

/** What changes all the time; a page reads of it what it tells. */
export interface LiveFacts {
  /** How the service is. */
  readonly report: () => Promise<StatusReport>;
  /** How it was before. */
  readonly history: () => StatusHistory;
  /** What became of verdicts. */
  readonly scoreboard: () => Scoreboard;
}

/** A page as it is served. */
export interface RenderedPage {
  readonly path: string;
  /** The whole document, made when it is first read: it takes longer than many a start may. */
  readonly html: string;
  /** Makes the document of this moment, where it tells what changes all the time. */
  readonly at?: (live: LiveFacts) => string | Promise<string>;
}

/** Every page, and the one for addresses where there is none. */
export interface RenderedPages {
  readonly documents: readonly RenderedPage[];
  /** The whole document, made when it is first needed. */
  readonly missing: () => string;
  /** What the search of the documentation is made from, as JSON; made when it is first asked for. */
  readonly docsIndex: () => string;
}

export type RenderPages = (facts: PageFacts, assets: PageAssets) => RenderedPages;

/** The pages by path, as those who do not ask for HTML are told of them. */
export const PAGE_PATHS = {
  landing: '/',
  wallet: '/wallet',
  wallets: '/wallets',
  status: '/status',
  scoreboard: '/scoreboard',
  docs: '/docs',
  refusals: '/docs/refusals',
  verify: '/verify',
} as const;

export type PageName = keyof typeof PAGE_PATHS;

/**
 * What is built beside the service: scripts/page/build.mjs writes it, and the HTTP door serves it.
 */
export interface PageManifest extends PageAssets {
  /**
   * By name of the file: its media type. Beside each lie the forms that were compressed at build,
   * NAME.br and NAME.gz.
   */
  readonly files: Readonly<Record<string, string>>;
}
