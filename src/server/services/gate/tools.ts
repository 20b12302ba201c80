import { OPERATIONS, type ServedTool } from '#api/operations';
import type { OrderRequest } from '#api/order-request';
import type { WalletRequest } from '#api/wallets/wallet-request';
import { WrittenAnswer } from '#api/written-answer';
import { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import type { StoredRating } from '#domain/rating/stored-rating';
import { toNoCoverage, toQueued, toWalletProfile } from '#judge/wallet/bodies';
import { type ListFacts, toLeaderboard, toRedList } from '../wallets/list-bodies.js';
import type { WalletList, WalletLists } from '../wallets/lists.js';
import type { WalletEvidenceOf } from '../wallets/wallet-evidence.js';
import type { Wallets } from '../wallets/wallets.js';
import { cachedText } from './list-texts.js';
import { cachedProfiles } from './profile-texts.js';
import { FreeAnswer, type GateTool, gateTool } from './tool.js';

/** The services behind the four tools. */
export interface ToolServices {
  readonly judge: (order: OrderRequest) => MaybePromise<object>;
  /** Whether `judge` would ask the venue for nothing. */
  readonly isBookCached: (order: OrderRequest) => boolean;
  /** Why `judge` would refuse an order, as far as that is known without the venue. */
  readonly orderFault?: (order: OrderRequest) => Promise<Problem | null>;
  readonly wallets: Pick<Wallets, 'ask'>;
  readonly lists: Pick<WalletLists, 'leaderboard' | 'redList'>;
  readonly walletEvidenceOf: WalletEvidenceOf;
}

/** Seconds after which a board that is not there yet is worth asking for again. */
const BOARD_RETRY_AFTER_S = 60;

/** Returns the four tools for the gate, each on its service. */
export function createTools({
  judge,
  isBookCached,
  orderFault,
  wallets,
  lists,
  walletEvidenceOf,
}: ToolServices): Readonly<Record<ServedTool, GateTool>> {
  const [leaderboardText, redListText] = [cachedText(toLeaderboard), cachedText(toRedList)];
  const profileText = cachedProfiles(toWalletProfile);
  return {
    preflight_trade: gateTool({
      ...OPERATIONS.preflight_trade,
      run: judge,
      isCached: isBookCached,
      ...(orderFault && { faultOf: orderFault }),
      countsUnpaid: true,
    }),
    leaderboard: gateTool({
      ...OPERATIONS.leaderboard,
      run: async () => leaderboardText(listed(await lists.leaderboard())),
      isCached: () => true,
    }),
    red_list: gateTool({
      ...OPERATIONS.red_list,
      run: async () => redListText(listed(await lists.redList())),
      isCached: () => true,
    }),
    preflight_copy: gateTool({
      ...OPERATIONS.preflight_copy,
      run: (request, caller) =>
        profile(request, caller, { wallets, textOf: profileText, evidenceOf: walletEvidenceOf }),
    }),
  };
}

interface ProfileServices extends Pick<ToolServices, 'wallets'> {
  readonly textOf: ReturnType<typeof cachedProfiles>;
  readonly evidenceOf: WalletEvidenceOf;
}

/**
 * Only a whole rating is paid for: a wallet that is queued or that has no coverage gets that answer
 * for free, and so does one whose markets the venue does not describe.
 */
async function profile(
  { wallet, evidence }: WalletRequest,
  caller: string,
  { wallets, textOf, evidenceOf }: ProfileServices,
): Promise<object> {
  const answer = await wallets.ask(wallet, caller);
  switch (answer.kind) {
    case 'rated': {
      const { stored } = answer;
      if (!isWhole(stored)) return new FreeAnswer(200, toWalletProfile(stored, answer));
      const written = textOf(stored, answer);
      if (evidence === undefined) return written;
      const signed = await evidenceOf(answer, toWalletProfile(stored, answer));
      return new WrittenAnswer(
        `${written.text.slice(0, -1)},"evidence":${signed}}`,
        written.nextRefreshS,
        written.verdict,
      );
    }
    case 'no_coverage':
      return new FreeAnswer(200, toNoCoverage(wallet, answer.stored, answer));
    case 'queued':
      return new FreeAnswer(202, toQueued(wallet, answer), answer.retryAfterS);
  }
}

function isWhole({ unseen }: StoredRating): boolean {
  return (unseen?.markets ?? 0) === 0;
}

function listed(list: WalletList): ListFacts {
  if (list.kind === 'listed') return { ...list, ratings: list.wallets };
  const text =
    'there are no ratings yet: the first run is under way or has failed (see /status.json); nothing was charged';
  throw new Problem('ratings_unavailable', text, { retryAfterS: BOARD_RETRY_AFTER_S });
}
