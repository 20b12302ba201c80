import { z } from 'zod';
import { mergeSpans, missingSpans, type Span } from '#domain/time-spans';
import type { BlockTime, ChainTrades } from '#ports/chain-trades';
import type { Tape } from '#ports/tape';
import { markWhole } from './whole-spans.js';

export interface ChainBackfillDeps {
  readonly tape: Pick<Tape, 'addFills' | 'progressOf' | 'saveProgress'>;
  readonly chain: ChainTrades;
}

/** How far a backfill from the chain is; reported after every step. */
export interface ChainBackfillState {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly blocksDone: number;
  readonly blocksAll: number;
  readonly fills: number;
  readonly skipped: number;
  /** Blocks with fills of tokens that no market was found for; a later run reads them again. */
  readonly unplaced: number;
}

export interface ChainBackfillReport extends ChainBackfillState {
  /** Every block was read, and every token of them placed. */
  readonly complete: boolean;
  /** The newest second that was read; null if none of those wanted was, or not all before it. */
  readonly throughS: number | null;
}

/** Blocks of one segment: a quarter of an hour on Polygon. */
const BLOCKS_PER_STEP = 500;
/** Beyond, the blocks of one step that are not held become one, from the first to the last. */
const HOLES_PER_STEP_MAX = 16;
/** Beyond, blocks that were read longest ago are read again. */
const HELD_SPANS_MAX = 4_096;
const JOB = 'chain';
const HeldSchema = z.object({ held: z.array(z.object({ from: z.number(), to: z.number() })) });

/**
 * Brings the trades of `fromS` to `toS` from the logs of the exchange contracts into the tape,
 * oldest first, and skips blocks that earlier runs brought. The blocks that are in are kept in the
 * tape after every step; one with a token that could not be placed is not. What is claimed to be
 * whole in the end is what was read, and no second of such a block. Rejects with an OutsideError.
 */
export async function backfillChain(
  { tape, chain }: ChainBackfillDeps,
  { fromS, toS }: { readonly fromS: number; readonly toS: number },
  progress?: (state: ChainBackfillState) => void,
  signal?: AbortSignal,
): Promise<ChainBackfillReport> {
  const latest = await chain.latestBlock();
  const [fromBlock, toBlock] = [await chain.firstBlockFrom(fromS), Math.min(latest, await chain.firstBlockFrom(toS))];
  // The endpoint may not have come as far as was asked for.
  const throughS = Math.min(toS, await chain.blockTimeS(toBlock));
  let held = HeldSchema.safeParse(await tape.progressOf(JOB)).data?.held ?? [];
  const missing = missingSpans({ from: fromBlock, to: toBlock }, held).toReversed();
  const blocksAll = missing.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  let state: ChainBackfillState = { fromBlock, toBlock, blocksDone: 0, blocksAll, fills: 0, skipped: 0, unplaced: 0 };
  const holes: Hole[] = [];
  for (const span of missing) {
    for (let from = span.from; from <= span.to && !signal?.aborted; from += BLOCKS_PER_STEP) {
      const to = Math.min(span.to, from + BLOCKS_PER_STEP - 1);
      const { fills, skipped, unplaced } = await chain.fetchFills(from, to);
      if (fills.length > 0) await tape.addFills(`${JOB}-${from}-${to}`, fills);
      const open = holesOf(unplaced);
      holes.push(...open);
      const read = missingSpans(
        { from, to },
        open.map(({ blocks }) => blocks),
      );
      held = [...mergeSpans([...held, ...read]).slice(0, HELD_SPANS_MAX)];
      await tape.saveProgress(JOB, { held });
      state = {
        ...state,
        blocksDone: state.blocksDone + to - from + 1,
        fills: state.fills + fills.length,
        skipped: state.skipped + skipped,
        unplaced: state.unplaced + unplaced.length,
      };
      progress?.(state);
    }
  }
  if (state.blocksDone < blocksAll) return { ...state, complete: false, throughS: null };
  const unread = holes.map(({ seconds }) => seconds);
  await markWhole(tape, ...missingSpans({ from: fromS, to: throughS }, unread));
  return { ...state, complete: state.unplaced === 0, throughS: throughS < fromS ? null : throughS };
}

/** Blocks of which not all fills could be read, and their seconds. */
interface Hole {
  readonly blocks: Span;
  readonly seconds: Span;
}

function holesOf(unplaced: readonly BlockTime[]): readonly Hole[] {
  const [first, last] = [unplaced[0], unplaced.at(-1)];
  if (first === undefined || last === undefined) return [];
  return unplaced.length > HOLES_PER_STEP_MAX ? [holeOf(first, last)] : unplaced.map((one) => holeOf(one, one));
}

function holeOf(first: BlockTime, last: BlockTime): Hole {
  return { blocks: { from: first.block, to: last.block }, seconds: { from: first.timeS, to: last.timeS } };
}
