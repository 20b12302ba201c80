import type { ComponentType } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { PAGE_PATHS, type PageName, type RenderPages, type StatusNow } from '#api/pages';
import { Docs } from './pages/docs.js';
import { Landing } from './pages/landing.js';
import { Missing } from './pages/missing.js';
import { Refusals } from './pages/refusals.js';
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

const PAGES: Readonly<Record<PageName, PageSource>> = {
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
  docs: {
    title: 'Documentation · Preflight',
    description: 'Endpoints, parameters, answers, errors, prices and payment, with examples.',
    Body: Docs,
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

const MISSING: PageSource = {
  title: 'No such page · Preflight',
  description: 'There is no page at this address.',
  Body: Missing,
};

/**
 * Renders pages to whole documents. The components that live in a page later start from the same
 * markup.
 */
export const renderPages: RenderPages = (facts, assets) => ({
  documents: (Object.keys(PAGES) as PageName[]).map((name) => {
    const html = once(() => render(name, { facts, assets }));
    return {
      path: PAGE_PATHS[name],
      get html() {
        return html();
      },
      ...(name === 'status' && { at: (now: StatusNow) => render(name, { facts, assets, now }) }),
    };
  }),
  missing: once(() => render(null, { facts, assets })),
});

/** Makes a text when it is first read. */
function once(make: () => string): () => string {
  let made: string | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** `name` null: there is no such page. */
function render(name: PageName | null, props: PageProps): string {
  const { Body, ...about } = name === null ? MISSING : PAGES[name];
  const document = (
    <Shell {...about} name={name} assets={props.assets} facts={props.facts}>
      <Body {...props} />
    </Shell>
  );
  return `<!doctype html>${renderToString(document)}`;
}
