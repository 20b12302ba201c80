import type { ComponentChildren, ComponentType } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { DocsPage } from '#api/docs-page';
import { DOCS_PATHS } from '#api/docs-paths';
import { type LiveFacts, PAGE_PATHS, type PageName, type RenderedPage, type RenderPages } from '#api/pages';
import { docsEntries } from './model/docs/entries.js';
import { DocsView } from './pages/docs.js';
import { Landing } from './pages/landing.js';
import { Missing } from './pages/missing.js';
import { Refusals } from './pages/refusals.js';
import { ScoreboardPage } from './pages/scoreboard.js';
import { Status } from './pages/status.js';
import { Verify } from './pages/verify.js';
import { Wallet } from './pages/wallet.js';
import { Wallets } from './pages/wallets.js';
import type { PageProps } from './parts/page-props.js';
import { Shell } from './parts/shell.js';

/**
 * What makes a page: its title, one sentence for search engines, and what stands between header and
 * footer.
 */
interface PageSource {
  readonly title: string;
  readonly description: string;
  readonly Body: ComponentType<PageProps>;
}

type PlainName = Exclude<PageName, 'docs'>;

const PAGES: Readonly<Record<PlainName, PageSource>> = {
  landing: {
    title: 'Preflight: should this order be sent, now, at this size?',
    description: 'Verdicts on Polymarket orders and wallets, drawn on the live order book. Paid per call; no account.',
    Body: Landing,
  },
  wallet: {
    title: 'Is this wallet worth copying? · Preflight',
    description: 'The rating of a Polymarket wallet from a simulated copier that pays slippage and fees.',
    Body: Wallet,
  },
  wallets: {
    title: 'Wallets · Preflight',
    description: 'The leaderboard of wallets worth copying and the red list, with the measured error rate.',
    Body: Wallets,
  },
  status: {
    title: 'Status · Preflight',
    description: 'How fresh the books are, what is degraded and why, and how fast verdicts are.',
    Body: Status,
  },
  scoreboard: {
    title: 'Scoreboard · Preflight',
    description: 'How often an OK or a CAUTION would have filled worse some seconds later, counted in the open.',
    Body: ScoreboardPage,
  },
  refusals: {
    title: 'Refused orders · Preflight',
    description: 'Why Polymarket refused an order: each text, the rule behind it, and what to change.',
    Body: Refusals,
  },
  verify: {
    title: 'Verify an answer · Preflight',
    description: 'Check signature, numbers and verdict of a saved answer in this tab; nothing is sent.',
    Body: Verify,
  },
};

/** Pages that are made at each request, and what of this moment each is made of. */
const LIVE: Partial<Record<PlainName, (live: LiveFacts) => Promise<Partial<PageProps>>>> = {
  status: async ({ report, history }) => ({ status: { report: await report(), history: history() } }),
  scoreboard: async ({ scoreboard }) => ({ scoreboard: scoreboard() }),
};

const DOCS = {
  title: 'Documentation · Preflight',
  description: 'Endpoints, parameters, answers, errors, prices and payment, with examples.',
};

const MISSING: PageSource = {
  title: 'No such page · Preflight',
  description: 'There is no page at this address.',
  Body: Missing,
};

/**
 * Renders pages to whole documents. The components that live in a page later start from the same
 * markup.
 */
export const renderPages: RenderPages = (facts, assets) => {
  const docs = once(() => facts.docs(assets.sdk));
  return {
    documents: [
      ...(Object.keys(PAGES) as PlainName[]).map((name) => one(name, { facts, assets })),
      ...DOCS_PATHS.map((path) => docsDocument(path, docs, { facts, assets })),
    ],
    missing: once(() => render(null, { facts, assets })),
    docsIndex: once(() => JSON.stringify(docsEntries(docs()))),
  };
};

function one(name: PlainName, props: PageProps): RenderedPage {
  const read = LIVE[name];
  const at = read && (async (live: LiveFacts) => render(name, { ...props, ...(await read(live)) }));
  return rendered(PAGE_PATHS[name], () => render(name, props), at);
}

/** A page of the documentation. All are made from what the first one that is read has computed. */
function docsDocument(path: string, docs: () => readonly DocsPage[], props: PageProps): RenderedPage {
  return rendered(path, () => {
    const pages = docs();
    const page = pages.find((candidate) => candidate.path === path)!;
    const title = path === PAGE_PATHS.docs ? DOCS.title : `${page.title} · Preflight`;
    return document('docs', { ...DOCS, title }, props, <DocsView pages={pages} page={page} />);
  });
}

/** A document that is made when it is first read, and again at each request where it has `at`. */
function rendered(path: string, make: () => string, at?: RenderedPage['at']): RenderedPage {
  const html = once(make);
  return {
    path,
    get html() {
      return html();
    },
    ...(at !== undefined && { at }),
  };
}

/** Makes what is needed when it is first needed. */
function once<Made>(make: () => Made): () => Made {
  let made: { readonly it: Made } | null = null;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}

/** `name` null: there is no such page. */
function render(name: PlainName | null, props: PageProps): string {
  const { Body, ...about } = name === null ? MISSING : PAGES[name];
  return document(name, about, props, <Body {...props} />);
}

function document(
  name: PageName | null,
  { title, description }: Omit<PageSource, 'Body'>,
  { facts, assets }: PageProps,
  body: ComponentChildren,
): string {
  const whole = (
    <Shell title={title} description={description} name={name} assets={assets} facts={facts}>
      {body}
    </Shell>
  );
  return `<!doctype html>${renderToString(whole)}`;
}
