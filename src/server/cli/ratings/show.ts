import type { Command } from 'commander';
import type { StoredRating } from '#domain/rating/stored-rating';
import { isoDay } from '#domain/time';
import type { RatingsStore, VerdictRecord } from '#ports/ratings-store';
import { printReport } from '../admin/run.js';
import { type RatingsOptions, withRatings, withRatingsOptions } from './options.js';

const HISTORY_SHOWN = 30;

/** Adds `ratings show`. */
export function addShowCommand(ratings: Command): void {
  withRatingsOptions(ratings.command('show'))
    .description('show what is known about a wallet')
    .argument('<wallet>', 'address, or the name that an imported tape gives it')
    .action((wallet: string, options: RatingsOptions) => show(wallet.toLowerCase(), options));
}

async function show(wallet: string, options: RatingsOptions): Promise<void> {
  const found = await withRatings(options, false, (store) => find(store, wallet));
  if (found.stored === null)
    throw new Error(`nothing is known about ${wallet}; request it from the service, or rate a tape that has it`);
  const { stored, source, history } = found;
  const text = [toText(stored, source), ...history.map(toLine)].join('\n');
  printReport(options, { json: { source, ...stored, history }, text });
}

async function find(store: RatingsStore, wallet: string) {
  const [board, demand, history] = await Promise.all([
    store.boardRating(wallet),
    store.demandRating(wallet),
    store.history(wallet, HISTORY_SHOWN),
  ]);
  return { stored: board ?? demand, source: board === null ? 'on demand' : 'board', history };
}

function toText({ rating, name, config }: StoredRating, source: string): string {
  const { wallet, asOfS, verdict, reason, firstEntries, resolved, pending } = rating;
  return [
    `${wallet}${name === null ? '' : ` (${name})`}: ${verdict}, ${reason}`,
    rating.reasonText,
    `${firstEntries} first entries in 90 days, ${resolved} resolved, ${pending} pending`,
    `as of ${isoDay(asOfS)}, from the ${source === 'board' ? 'board in force' : 'computation on demand'}, cut-offs ${config}`,
  ].join('\n');
}

function toLine({ asOfS, verdict, reason, config }: VerdictRecord): string {
  return `  ${isoDay(asOfS)}  ${verdict.padEnd(5)}  ${reason}  ${config}`;
}
