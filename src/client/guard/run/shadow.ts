import type { OrderCall } from '../clients/order-call.js';
import { claimEntry } from './claim.js';
import type { GuardContext } from './context.js';
import { decideOrder, frozen, isExit, newOrderId } from './prepare.js';

/**
 * Writes down what the guard would have made of orders, sends them as they are, and writes down what
 * became of them. Nothing is refused, and nothing fails but what the client fails in.
 */
export async function shadowOrders(
  context: GuardContext,
  calls: readonly OrderCall[],
  send: () => Promise<unknown>,
): Promise<unknown> {
  const { client, record } = context;
  const ids: string[] = [];
  for (const call of calls) ids.push(await decideInShadow(context, call));
  try {
    const answer = await send();
    for (const [at, id] of ids.entries()) record.ended(id, client.read(Array.isArray(answer) ? answer[at] : answer));
    return answer;
  } catch (error) {
    for (const id of ids) record.ended(id, client.readError(error));
    throw error;
  }
}

async function decideInShadow(context: GuardContext, call: OrderCall): Promise<string> {
  const { record } = context;
  const id = newOrderId(context);
  const isAnExit = await isExit(context, call);
  const stopped = isAnExit ? null : frozen(context);
  const asked = await decideOrder(context, call);
  // What an entry is worth is known although all of them are frozen.
  const verdict = asked.kind === 'refused' ? asked.refusal.verdict : asked.verdict;
  const decided = stopped === null ? asked : ({ kind: 'refused', refusal: { ...stopped, verdict } } as const);
  const decision = isAnExit ? decided : claimEntry(context, id, call, decided);
  record.quietly(() => record.decided({ id, order: call.order, isExit: isAnExit, decision }));
  return id;
}
