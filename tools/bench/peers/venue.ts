import { systemClock } from '#adapters/process/system-clock';
import { stepTicksOf } from '#local/venue/market/book-view';
import { startLocalVenue } from '#local/venue/start-local-venue';
import { SEED } from '../support/book-walk.js';
import { childOptions, serveParent } from '../support/children.js';
import { CPU_TAKEN } from '../support/cpu-taken.js';
import { type TrueBook, wallMs } from './truth.js';
import type { WayOptions } from './way.js';

export interface PeerVenueOptions {
  readonly slugs: readonly string[];
  /** Between two changes, each of the next market. */
  readonly stepMs: number;
}

export interface PeerVenueFacts {
  readonly url: WayOptions['url'];
  readonly markets: readonly { readonly conditionId: string; readonly tokenId: string }[];
}

/** The books of each token that there were since the last question. */
export type TrueBooks = Readonly<Record<string, readonly TrueBook[]>>;

/** The oldest book that an answer is looked for in, at the least. */
const KEPT_MS = 5_000;
/** Books that are remembered between two questions; some hundreds are changed a second. */
const BOOKS_MAX = 100_000;

const { slugs, stepMs } = childOptions<PeerVenueOptions>();
const venue = await startLocalVenue({ clock: systemClock, seed: SEED, tickMs: 0 });
const markets = slugs.map((slug) => {
  const found = venue.markets.find((market) => market.slug === slug);
  if (found === undefined) throw new Error(`the local venue has no market ${slug}`);
  return { slug, conditionId: found.conditionId, tokenId: found.outcomes[0]!.tokenId as string };
});
const books = new Map<string, TrueBook[]>();
let count = 0;

function note(tokenId: string, fromMs: number): void {
  const view = venue.bookOf(tokenId);
  if (view === null) throw new Error(`the market of ${tokenId} has no book any more`);
  if (++count > BOOKS_MAX) forget();
  const known = books.get(tokenId) ?? [];
  books.set(tokenId, known);
  known.push({
    fromMs,
    asks: [...view.asksDescending].reverse(),
    stepTicks: stepTicksOf(view.tickSize),
  });
}

/** Forgets what was true before an answer of now can have been made of it. */
function forget(): void {
  const sinceMs = wallMs() - KEPT_MS;
  for (const [tokenId, known] of books) {
    const first = known.findLastIndex(({ fromMs }) => fromMs <= sinceMs);
    books.set(tokenId, known.slice(Math.max(first, 0)));
  }
  count = [...books.values()].reduce((sum, known) => sum + known.length, 0);
}

let steps = 0;
for (const { tokenId } of markets) note(tokenId, wallMs());
setInterval(() => {
  const { slug, tokenId } = markets[steps++ % markets.length]!;
  // Of the moment before, so that nobody can have a book before it was there.
  const fromMs = wallMs();
  venue.step(1, slug);
  note(tokenId, fromMs);
}, stepMs);
const { gammaUrl: gamma, clobUrl: clob, dataUrl: data, wsUrl: ws } = venue;
const answers = { cpu: CPU_TAKEN.cpu, forget, books: (): TrueBooks => Object.fromEntries(books) };
serveParent({ url: { gamma, clob, data, ws }, markets } satisfies PeerVenueFacts, answers, () => venue.close());
