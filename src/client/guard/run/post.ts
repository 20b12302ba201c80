import type { VenueAnswer } from '../clients/order-call.js';
import { OrderOutcomeUnknown, type OrderRefused } from '../errors.js';
import type { GuardContext, ReadyOrder } from './context.js';

/**
 * Posts an order, once, and returns the client's answer. What is neither accepted nor refused is
 * thrown, or returned, as unknown: it keeps its claim.
 */
export async function postOrder(context: GuardContext, ready: ReadyOrder): Promise<unknown> {
  const { client } = context;
  const sent = await outcomeOf(() => ready.call.post(ready.whole));
  const answer = sent.kind === 'answered' ? client.read(sent.answer) : client.readError(sent.error);
  conclude(context, ready, answer);
  if (answer.kind !== 'unknown') return resultOf(sent);
  const unknown = new OrderOutcomeUnknown(ready.id, answer.why, sent.kind === 'failed' ? sent.error : undefined);
  if (throwsErrors(context)) throw unknown;
  return unknownAnswer(context, unknown);
}

/** Posts several orders by one request, once, and returns the client's answers in their order. */
export async function postTogether(
  context: GuardContext,
  ready: readonly ReadyOrder[],
  send: () => Promise<unknown>,
): Promise<readonly unknown[]> {
  const sent = await outcomeOf(send);
  const answers = answersOf(context, sent, ready.length);
  for (const [at, order] of ready.entries()) conclude(context, order, answers[at]!.read);
  const isUnknown = answers.every(({ read }) => read.kind === 'unknown');
  if (isUnknown && throwsErrors(context)) {
    const ids = ready.map(({ id }) => id).join(' ');
    throw new OrderOutcomeUnknown(ids, answers[0]!.read.why, sent.kind === 'failed' ? sent.error : undefined);
  }
  if (sent.kind === 'failed' && !isUnknown) throw sent.error;
  return ready.map(({ id }, at) => {
    const { answer, read } = answers[at]!;
    return read.kind === 'unknown' ? unknownAnswer(context, new OrderOutcomeUnknown(id, read.why)) : answer;
  });
}

/** An answer for each order. What came in the place of a list is the answer of all. */
function answersOf({ client }: GuardContext, sent: Sent, count: number) {
  const each = Array.from({ length: count }, (_, at) => at);
  if (sent.kind === 'failed') {
    const read = client.readError(sent.error);
    return each.map(() => ({ answer: undefined as unknown, read }));
  }
  const { answer } = sent;
  const list = Array.isArray(answer) && answer.length === count ? (answer as readonly unknown[]) : null;
  return each.map((at) => {
    const one = list === null ? answer : list[at];
    return { answer: one, read: client.read(one) };
  });
}

/** What a call that was refused ends with: thrown or returned, as the client does it. */
export function concludeRefused(context: GuardContext, error: OrderRefused): unknown {
  if (throwsErrors(context)) throw error;
  return refusedAnswer(context, error);
}

/** Returns what stands in the place of the venue's answer where the guard refused an order. */
export function refusedAnswer({ client }: GuardContext, error: OrderRefused): unknown {
  return client.refusedAnswer(error.rule, error.message, 'preflight_refused');
}

function unknownAnswer({ client }: GuardContext, { message }: OrderOutcomeUnknown): unknown {
  return client.refusedAnswer('outcome_unknown', message, 'preflight_outcome_unknown');
}

function throwsErrors({ options, client }: GuardContext): boolean {
  return options.throwOnError ?? client.throwsErrors();
}

type Sent =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

async function outcomeOf(send: () => Promise<unknown>): Promise<Sent> {
  try {
    return { kind: 'answered', answer: await send() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function resultOf(sent: Sent): unknown {
  if (sent.kind === 'failed') throw sent.error;
  return sent.answer;
}

/** What the venue refused is in no book, and its claim is given back. All else keeps it. */
function conclude({ record, state }: GuardContext, { id, isExit }: ReadyOrder, answer: VenueAnswer): void {
  record.ended(id, answer);
  if (answer.kind === 'rejected' && !isExit) record.quietly(() => state.claims.lower(id, 0n));
}
