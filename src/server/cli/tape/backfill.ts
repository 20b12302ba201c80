import { type Command, InvalidArgumentError, Option } from 'commander';
import { openChainTrades, openTapeSources } from '#compose/tape';
import { readVenueUrls } from '#config/venue-urls';
import { parseCondition, parseWallet } from '#domain/ids';
import { backfillChain, type ChainBackfillReport } from '#services/tape/backfill-chain';
import { createTapeMarkets } from '#services/tape/markets';
import { UsageError } from '../exit.js';
import type { BackfillWork } from './backfill-data.js';
import { backfillFromData, type TargetLists } from './backfill-data.js';
import { untilStopped } from './progress.js';
import { isoSecond, momentS, runTape, type TapeOptions, type TapeReport, withTapeOptions } from './run.js';

type BackfillOptions = TapeOptions &
  TargetLists & {
    readonly from: number;
    readonly to?: number;
    readonly source: 'data-api' | 'chain';
    readonly rpcUrl?: string;
  };

/** Adds `tape backfill`. */
export function addBackfillCommand(tape: Command): void {
  const ids =
    <Id extends string>(parse: (text: string) => Id | null, what: string) =>
    (text: string): readonly Id[] => {
      const list = text.split(',').map((id) => parse(id.trim().toLowerCase()));
      if (list.every((id) => id !== null)) return list;
      throw new InvalidArgumentError(`Give ${what}, separated by commas.`);
    };
  withTapeOptions(tape.command('backfill'))
    .description('fetch trades, and the markets they are of; run it again to go on where it stopped')
    .requiredOption('--from <date>', 'from this date or moment (UTC)', momentS)
    .option('--to <date>', 'up to this date or moment (default: now)', momentS)
    .addOption(
      new Option('--source <source>', 'where to fetch from').choices(['data-api', 'chain']).default('data-api'),
    )
    .addOption(new Option('--rpc-url <url>', 'Polygon endpoint for --source chain').env('POLYGON_RPC_URL'))
    .option(
      '--markets <ids>',
      'only the trades of these conditions',
      ids(parseCondition, 'conditions (0x and 62 or 64 digits)'),
    )
    .option('--wallets <ids>', 'only the trades of these wallets', ids(parseWallet, 'wallets (0x and 40 digits)'))
    .action((options: BackfillOptions) => backfill(options));
}

const ADVICE = 'what was fetched is kept: run the same command again to go on';

async function backfill(options: BackfillOptions): Promise<void> {
  check(options);
  await runTape(options, { makes: true, advice: ADVICE }, async (module) => {
    const nowS = Math.floor(module.clock.nowMs() / 1_000);
    const [fromS, toS] = [options.from, Math.min(options.to ?? nowS, nowS)];
    if (fromS >= toS) throw new UsageError('--from must lie before --to, and in the past');
    return untilStopped(module.clock, (shown, signal) => {
      const sources = openTapeSources(readVenueUrls(process.env), module.clock);
      return fetchAll({ module, sources, fromS, toS, shown, signal }, options);
    });
  });
}

function check({ source, rpcUrl, markets, wallets }: BackfillOptions): void {
  if (source === 'chain' && rpcUrl === undefined) {
    throw new UsageError('--source chain needs an endpoint of Polygon: --rpc-url URL, or POLYGON_RPC_URL');
  }
  if (source === 'chain' && rpcUrl !== undefined && !/^https?:\/\//.test(rpcUrl)) {
    throw new UsageError('--rpc-url must be an http or https URL');
  }
  if (source === 'chain' && (markets ?? wallets) !== undefined) {
    throw new UsageError('--markets and --wallets are for --source data-api; --source chain fetches all trades');
  }
}

async function fetchAll(work: BackfillWork, options: BackfillOptions): Promise<TapeReport> {
  const trades =
    options.source === 'chain' ? await backfillFromChain(work, options.rpcUrl!) : await backfillFromData(work, options);
  const { tape, clock } = work.module;
  const markets = await createTapeMarkets({ tape, facts: work.sources.facts, clock }).refresh({
    signal: work.signal,
    progress: ({ asked, described }) =>
      work.shown.update('markets', 0, 1, `${described} of ${asked} markets described`),
  });
  const stopped = work.signal.aborted;
  return {
    ok: !stopped,
    json: {
      ...trades.json,
      complete: trades.json.complete === true && !stopped,
      markets_described: markets.described,
      markets_resolved: markets.resolved,
    },
    text: [
      trades.text,
      `${markets.described} markets described, ${markets.resolved} with their payouts`,
      ...(stopped ? ['stopped; run the same command again to go on'] : []),
    ].join('\n'),
  };
}

/** Fetches trades from the logs of the exchange contracts. */
async function backfillFromChain(work: BackfillWork, rpcUrl: string): Promise<TapeReport> {
  const { module, sources, fromS, toS, shown, signal } = work;
  const chain = await openChainTrades(rpcUrl, sources.facts);
  const report = await backfillChain(
    { tape: module.tape, chain },
    { fromS, toS },
    ({ blocksDone, blocksAll, fills }) => shown.update('blocks', blocksDone, blocksAll, `${fills} fills`),
    signal,
  );
  return toChainReport(report, toS);
}

function toChainReport(report: ChainBackfillReport, toS: number): TapeReport {
  const { fromBlock, toBlock, fills, skipped, unplaced, complete, throughS } = report;
  const lines = [
    `${fills} fills of blocks ${fromBlock} to ${toBlock}; ${skipped} logs were not trades, of combos, or of unknown tokens`,
  ];
  if (unplaced > 0) {
    lines.push(`${unplaced} blocks have tokens that no market was found for; a later run asks for them again`);
  }
  if (throughS !== null && throughS < toS) {
    lines.push(`the endpoint's blocks that stay end at ${isoSecond(throughS)}; a later run goes on from there`);
  }
  return {
    json: {
      source: 'chain',
      fills,
      skipped,
      complete,
      from_block: fromBlock,
      to_block: toBlock,
      blocks_unplaced: unplaced,
      read_through: isoSecond(throughS),
    },
    text: lines.join('\n'),
  };
}
