import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import type { Market } from '#domain/market';
import type { Interval } from '#domain/scoreboard/intervals';
import { ScoreTally } from '#domain/scoreboard/score-day';
import { type ScoreRow, toScoreTable } from '#domain/scoreboard/score-table';
import { readRecording } from '#local/venue/recording/recording';
import type { FreshBook } from '#services/books/books';
import { DayTallies } from '#services/scoreboard/day-tallies';
import { PASS_MS, Sampler } from '#services/scoreboard/sampler';
import { gameFiles } from '#test/support/captures';
import { OPEN_STATUS } from '#test/support/sample-markets';
import { parseMarketFrame } from '#wire/polymarket/market-channel';
import { atMost, type Section, show, table } from './support/report.js';
import { progress } from './support/rounds.js';

/** A gap of this length is a recorder that was restarted: nothing is drawn in it. */
const GAP_MS = 60_000;
/** What a full pass does: twenty books are judged, each priced again at four horizons. */
const STEPS_PER_PASS = 20 * 5;
const PASS_CPU_MAX_MS = 2;

/** What a sports market of the venue is like today. */
const SPORTS: Omit<Market, 'conditionId' | 'slug' | 'outcomes'> = {
  question: '',
  groupItemTitle: null,
  minOrderShares: 5,
  negRisk: false,
  placeholder: false,
  status: OPEN_STATUS,
  fee: { rate: 0.03, exponent: 1, category: 'sports_fees_v2', known: true },
  matchingDelayS: 3,
  gameDueMs: null,
};

interface Played {
  readonly tally: ScoreTally;
  steps: number;
  stepsMs: number;
}

/** Plays recorded games to the sampler of the service, and writes what became of its verdicts. */
export async function benchScoreboard(): Promise<Section> {
  const title = 'Scoreboard: what became of verdicts on recorded games';
  const files = gameFiles();
  if (files.length === 0) return { title, texts: ['(No recorded games on this machine.)'], goals: [] };
  const played: Played = { tally: new ScoreTally(), steps: 0, stepsMs: 0 };
  for (const file of files) {
    progress(`scoreboard: ${file.split('/').at(-1)}`);
    await playGame(file, played);
  }
  const day = played.tally.toDay('');
  const rows = toScoreTable(day).filter(({ category, n }) => category === 'all' && n > 0);
  const passMs = (played.stepsMs / played.steps) * STEPS_PER_PASS;
  const what =
    `${files.length} games, ${show(day.passes)} draws of both books of one game; ${show(day.missed)} orders missed. ` +
    `A book that was not in doubt counts as fresh: the service would have had it confirmed. ` +
    `A full pass of 20 books takes ${show(passMs)} ms of CPU on these books.`;
  const head = ['Verdict, USD, horizon', 'n', 'unseen', 'became VETO', '1 c worse', '3 c worse', '10 c worse', 'p95'];
  return {
    title,
    texts: [what, table(head, rows.map(cellsOf)), 'Intervals have games as clusters (95 %).'],
    goals: [{ path: 'scoreboard, a full pass', goal: atMost(PASS_CPU_MAX_MS), measured: passMs, unit: 'ms' }],
  };
}

async function playGame(file: string, played: Played): Promise<void> {
  const { frames, markets } = await readRecording(file);
  const targets = new Map(
    markets.flatMap(({ slug, ids, outcomes }) => {
      const labeled = ids.tokenIds.map((tokenId, at) => ({ tokenId, label: outcomes[at]! }));
      const market: Market = { ...SPORTS, slug, conditionId: ids.conditionId, outcomes: labeled };
      return labeled.map((outcome) => [outcome.tokenId, { market, outcome }] as const);
    }),
  );
  const books = new BookTable();
  for (const [tokenId, { market }] of targets) books.add(new OrderBook(tokenId, market.conditionId));
  const applier = new FrameApplier(books);
  const peek = (tokenId: TokenId): FreshBook | null => {
    const book = books.get(tokenId);
    return book === undefined || !book.synced || book.isSuspicious ? null : { book, ageMs: 0 };
  };
  let atMs = frames[0]!.atMs;
  const clock = { nowMs: () => atMs, elapsedMs: () => atMs };
  const freshTokens = () => [...targets.keys()].filter((tokenId) => peek(tokenId) !== null);
  const days = new DayTallies();
  const sampler = new Sampler({
    ...{ clock, days, books: { freshTokens, peek } },
    marketOf: (tokenId) => targets.get(tokenId) ?? null,
  });
  const work = () => {
    const beganMs = performance.now();
    while (sampler.step()) played.steps++;
    played.stepsMs += performance.now() - beganMs;
  };
  let passAtMs = atMs;
  for (const frame of frames) {
    // All that is due before this frame sees the books without it.
    while (Math.min(passAtMs, sampler.nextDueMs ?? passAtMs) < frame.atMs) {
      atMs = Math.min(passAtMs, sampler.nextDueMs ?? passAtMs);
      if (atMs === passAtMs) {
        if (frame.atMs - atMs < GAP_MS) sampler.begin();
        passAtMs += PASS_MS;
      }
      work();
    }
    atMs = frame.atMs;
    applier.apply(parseMarketFrame(frame.text), atMs);
  }
  for (const day of days.takeChanged()) played.tally.addDay(day);
}

function cellsOf({ verdict, usd, horizon, n, unseen, rates, p95Cents }: ScoreRow): readonly string[] {
  const percent = (share: number) => `${(share * 100).toFixed(2)}`;
  const span = ({ low, high }: Interval) => `${percent(low)}..${percent(high)}`;
  const rate = (event: 'veto' | 'worse1' | 'worse3' | 'worse10') => {
    const { rate: found, clustered, wilson } = rates![event];
    return `${percent(found)} % (${span(clustered ?? wilson)})`;
  };
  const when = horizon === 'delay' ? 'delay (3 s)' : `${horizon} s`;
  return [
    `${verdict}, ${usd}, ${when}`,
    ...[n, unseen].map((count) => count.toLocaleString('en-US')),
    ...(['veto', 'worse1', 'worse3', 'worse10'] as const).map(rate),
    `${p95Cents} c`,
  ];
}
