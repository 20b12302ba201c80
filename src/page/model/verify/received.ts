import { asObject, type JsonObject } from '#domain/json';
import { type ReceivedOrder, reportedOrder } from './reported-order.js';
import { type ReceivedWallet, reportedWallet } from './reported-wallet.js';

/** What an answer says that was given to be checked. */
export type Received = ReceivedOrder | ReceivedWallet;

/** Returns what an answer says, of whatever its evidence is. */
export function received(answer: JsonObject): Received {
  const { kind } = asObject(asObject(answer.evidence)?.payload) ?? {};
  return kind === 'wallet_rating' ? reportedWallet(answer) : reportedOrder(answer);
}
