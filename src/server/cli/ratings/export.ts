import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { isoDay } from '#domain/time';
import type { Board, RatingsStore } from '#ports/ratings-store';
import { pagesOf } from '#services/integrity/pages';
import { RATING_CSV_HEAD, toRatingCsv } from '#services/ratings/csv';
import { printReport } from '../admin/run.js';
import { UsageError } from '../exit.js';
import { type RatingsOptions, withRatings, withRatingsOptions } from './options.js';

type ExportOptions = RatingsOptions & { readonly out?: string };

/** Adds `ratings export`. */
export function addExportCommand(ratings: Command): void {
  withRatingsOptions(ratings.command('export'))
    .description('write every rating of the board in force as CSV')
    .option('--out <file>', 'file to write (default: standard output)')
    .action((options: ExportOptions) => exportRatings(options));
}

async function exportRatings(options: ExportOptions): Promise<void> {
  const { json, out } = options;
  if (json && out === undefined) throw new UsageError('standard output is taken by the CSV: give --out FILE too');
  await withRatings(options, false, async (store) => {
    const board = await store.board();
    if (board === null) throw new UsageError('no board is in force yet; preflightctl ratings run makes one');
    await pipeline(Readable.from(linesOf(store, board)), out === undefined ? standardOutput() : createWriteStream(out));
    if (out === undefined) return;
    const { run, asOfS, walletsSeen } = board;
    const text = `${walletsSeen} ratings of the board of ${isoDay(asOfS)} written to ${out}`;
    printReport(options, { json: { run, as_of: isoDay(asOfS), wallets: walletsSeen, file: out }, text });
  });
}

/**
 * Fails in the middle rather than leave wallets out, where another board comes into force
 * meanwhile.
 */
async function* linesOf(store: RatingsStore, board: Board): AsyncGenerator<string> {
  yield `${RATING_CSV_HEAD}\n`;
  let written = 0;
  for await (const { items, faults } of pagesOf((from, limit) => store.listing.runRatings(board.run, from, limit))) {
    for (const fault of faults) throw fault;
    written += items.length;
    yield items.map(({ rating }) => `${toRatingCsv(rating)}\n`).join('');
  }
  if (written === board.walletsSeen) return;
  throw new Error(`${written} of ${board.walletsSeen} ratings found: a newer board came into force; export again`);
}

/** The pipeline must not end what belongs to the process. */
function standardOutput(): (lines: AsyncIterable<string>) => Promise<void> {
  const stdout: Writable = process.stdout;
  return async (lines) => {
    for await (const text of lines) {
      if (!stdout.write(text)) await new Promise((resolve) => stdout.once('drain', resolve));
    }
  };
}
