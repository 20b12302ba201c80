import type { StoreFault } from '#domain/integrity/fault';
import { BASES_PER_PAGE } from '#ports/basis-store';
import type { Board, RatingsStore } from '#ports/ratings-store';
import type { Findings } from './findings.js';
import { pagesOf } from './pages.js';

/** Ratings can all be made again from the tape. */
const RATE_AGAIN = 'rate the tape again: preflightctl ratings run';
/**
 * So many boards may come into force while one is looked at; with more of them something else is
 * wrong.
 */
const BOARDS_MAX = 3;

/** Looks at the board in force, its ratings, and all that is kept of others. */
export async function checkRatings(ratings: RatingsStore, findings: Findings): Promise<void> {
  await checkBoard(ratings, findings);
  const { bases } = ratings;
  const { demandRatings, verdicts } = ratings.listing;
  for await (const { items, faults } of pagesOf(demandRatings)) {
    findings.addMalformed(faults);
    findings.saw('ratings on demand', items.length);
  }
  for await (const { items, faults } of pagesOf((from, limit) => bases.list(from, Math.min(limit, BASES_PER_PAGE)))) {
    findings.addMalformed(faults);
    findings.saw('bases of ratings', items.length);
  }
  for await (const { items, faults } of pagesOf(verdicts)) {
    findings.addMalformed(faults);
    findings.saw('verdicts of days', items.length);
  }
  for await (const { items, malformed = [] } of pagesOf((from, limit) => ratings.walletRows(from, limit))) {
    findings.addMalformed(malformed.map(({ error }) => error));
    findings.saw('running wallets', items.length);
  }
}

/**
 * A board that another one follows meanwhile loses its ratings: then the other one is looked at.
 */
async function checkBoard(ratings: RatingsStore, findings: Findings): Promise<void> {
  for (let n = 0; n < BOARDS_MAX; n++) {
    const board = await ratings.board();
    if (board === null) return;
    const found = await lookAt(ratings, board);
    if ((await ratings.board())?.run !== board.run) continue;
    findings.addMalformed(found.malformed);
    findings.add(...found.faults);
    findings.saw('ratings of the board', found.ratings);
    return;
  }
}

async function lookAt(ratings: RatingsStore, board: Board) {
  const malformed: Error[] = [];
  const missing = new Set([...board.leaderboard, ...board.redList]);
  let count = 0;
  for await (const page of pagesOf((from, limit) => ratings.listing.runRatings(board.run, from, limit))) {
    malformed.push(...page.faults);
    count += page.items.length + page.faults.length;
    for (const { rating } of page.items) missing.delete(rating.wallet);
  }
  return { malformed, ratings: count, faults: malformed.length > 0 ? [] : boardFaults(board, count, missing) };
}

function boardFaults(board: Board, count: number, missing: ReadonlySet<string>): readonly StoreFault[] {
  const where = `board of run ${board.run}`;
  const faults: StoreFault[] = [];
  for (const wallet of missing) {
    faults.push({ where, what: `it lists ${wallet}, which has no rating`, remedy: RATE_AGAIN });
  }
  if (count !== board.walletsSeen) {
    faults.push({ where, what: `it says ${board.walletsSeen} wallets, and has ${count} ratings`, remedy: RATE_AGAIN });
  }
  const byVerdict = Object.values(board.walletsByVerdict).reduce((sum, wallets) => sum + wallets, 0);
  if (byVerdict !== board.walletsSeen) {
    faults.push({
      where,
      what: `its verdicts are of ${byVerdict} wallets of ${board.walletsSeen}`,
      remedy: RATE_AGAIN,
    });
  }
  return faults;
}
