import { FOLLOWED_WALLETS_MAX, type FollowedBoard, type FollowResult } from '#domain/follow-up/followed-board';
import { RATINGS_VERSION, readRatingRow } from './rating-rows.js';
import { malformedRow } from './row-fields.js';
import type { RowReader } from './row-reader.js';

/** Returns the stored form of a board that is followed: its moment is in its key. */
export function encodeFollowedBoard(board: FollowedBoard): unknown {
  const { run, computedAtMs, config, copies, placeboCopies, wallets, result } = board;
  const about = [RATINGS_VERSION, run, computedAtMs, config, copies, placeboCopies, wallets];
  return result === null ? about : [...about, encodeResult(result)];
}

function encodeResult({ own, ...of }: FollowResult): unknown {
  return [
    ...[of.knownS, of.unseenS, of.isFinal ? 1 : 0, of.entries, of.resolved, of.events],
    ...[of.roi, of.low, of.high, of.walletsResolved, of.walletsInProfit],
    ...[own.entries, own.byWallet.length, own.byWallet.flatMap(({ wallet, returnFeeNano }) => [wallet, returnFeeNano])],
    own.byGroup.length,
    own.byGroup.flatMap(({ group, scored, returnFeeNano }) => [group, scored, returnFeeNano]),
  ];
}

/** Returns a board that is followed from its stored form, or throws the error that names the row. */
export function decodeFollowedBoard(key: string, raw: unknown, asOfS: number): FollowedBoard {
  const hasResult = Array.isArray(raw) && raw.length === 8;
  const read = readRatingRow(key, raw, hasResult ? 8 : 7);
  const about = {
    asOfS,
    run: read.count('run'),
    computedAtMs: read.count('computedAtMs'),
    config: read.text('config'),
    copies: read.count('copies'),
    placeboCopies: read.count('placeboCopies'),
    wallets: read.texts('wallets'),
  };
  if (about.wallets.length > FOLLOWED_WALLETS_MAX) throw malformedRow(key, `${about.wallets.length} wallets`);
  return { ...about, result: hasResult ? decodeResult(read.inner('result', 16)) : null };
}

function decodeResult(read: RowReader): FollowResult {
  return {
    knownS: read.count('knownS'),
    unseenS: read.count('unseenS'),
    isFinal: read.count('isFinal') === 1,
    entries: read.count('entries'),
    resolved: read.count('resolved'),
    events: read.count('events'),
    roi: read.numberOrNull('roi'),
    low: read.numberOrNull('low'),
    high: read.numberOrNull('high'),
    walletsResolved: read.count('walletsResolved'),
    walletsInProfit: read.count('walletsInProfit'),
    own: {
      entries: read.count('own.entries'),
      byWallet: listOf(read, 'own.byWallet', 2, (of) => ({
        wallet: of.count('wallet'),
        returnFeeNano: of.number('returnFeeNano'),
      })),
      byGroup: listOf(read, 'own.byGroup', 3, (of) => ({
        group: of.count('group'),
        scored: of.count('scored'),
        returnFeeNano: of.number('returnFeeNano'),
      })),
    },
  };
}

/** Items of so many fields each, which lie one behind the other; their number comes before them. */
function listOf<Item>(read: RowReader, name: string, width: number, itemOf: (fields: RowReader) => Item): Item[] {
  const count = read.count(`${name} count`);
  const fields = read.inner(name, count * width);
  return Array.from({ length: count }, () => itemOf(fields));
}
