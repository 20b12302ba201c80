import type { ServedTool } from '#api/operations';
import { asObject } from '#domain/json';
import type { Parameters } from '../http/requests.js';
import { PACK } from '../terms/published-terms.js';

type Body = Readonly<Record<string, unknown>>;
type Operation = ServedTool | typeof PACK;

/** An order is echoed as it was given; USD in a query and in JSON are the same double. */
const USD_TOLERANCE = 1e-6;

/**
 * Returns why what came with status 200 is not the answer that was paid for; null if it is. Whoever
 * stands in between (a page for maintenance, a cache) says 200 too, and then the purchase goes on.
 */
export function answerFault(operation: Operation, args: Parameters, body: Body): string | null {
  if (body.ok !== true) return 'something that is not its answer';
  return FAULTS[operation](body, args);
}

const FAULTS: Readonly<Record<Operation, (body: Body, args: Parameters) => string | null>> = {
  preflight_trade({ verdict, order, market }, args) {
    if (typeof verdict !== 'string') return 'no verdict';
    const { side = 'BUY', usd, token_id } = args;
    const found = { ...asObject(order), ...asObject(market) };
    const isAbout =
      isEcho(found.side, side, (given) => found.side === String(given).trim().toUpperCase()) &&
      isEcho(found.usd, usd, (given) => Math.abs(Number(found.usd) - Number(given)) <= USD_TOLERANCE) &&
      isEcho(found.token_id, token_id, (given) => found.token_id === String(given).trim());
    return isAbout ? null : 'a verdict on another order';
  },
  preflight_copy({ verdict, wallet: found }, { wallet }) {
    if (typeof verdict !== 'string') return 'no verdict';
    const isAbout = isEcho(found, wallet, (given) => String(found).toLowerCase() === String(given).toLowerCase());
    return isAbout ? null : 'a verdict on another wallet';
  },
  leaderboard: listFault,
  red_list: listFault,
  [PACK]: ({ token, credits_added }) =>
    typeof token === 'string' || typeof credits_added === 'number' ? null : 'no credits',
};

/** Whether what an answer says of its question is what was asked; it may leave out what was. */
function isEcho<Given>(found: unknown, given: Given | undefined, isSame: (given: Given) => boolean): boolean {
  return found === undefined || given === undefined || isSame(given);
}

function listFault({ wallets }: Body): string | null {
  return Array.isArray(wallets) ? null : 'no list of wallets';
}
