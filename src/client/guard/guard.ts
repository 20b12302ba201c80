import { clientSystem } from '../system.js';
import { clobClient } from './clients/clob-client.js';
import { type Method, methodOf } from './clients/members.js';
import type { GuardedClient } from './clients/order-call.js';
import { tsSdk } from './clients/ts-sdk.js';
import { OrderRefused } from './errors.js';
import type { GuardOptions } from './options.js';
import type { GuardContext } from './run/context.js';
import { concludeRefused, postOrder, postTogether, refusedAnswer } from './run/post.js';
import { announceOrder, type Prepared, prepareOrder } from './run/prepare.js';
import { GuardRecord } from './run/record.js';
import { shadowOrders } from './run/shadow.js';
import { fileGuardState } from './state/guard-state.js';

/**
 * Returns the same client with a guard before its order methods: each order is asked about, sent as
 * it was planned, and held to a cap for the day; what is VETO is not sent. Exits, cancels and reads
 * are never stopped; sessions, whose trades it cannot see, are refused. No key, signer or credentials
 * are looked at. Throws a TypeError if it is the client of neither package, or an option is none.
 *
 * @example
 * const client = guard(new ClobClient({ host, chain, signer, creds }), { preflight, perDayUsd: 200 });
 */
export function guard<Client extends object>(client: Client, options: GuardOptions): Client {
  const { perDayUsd, timeoutMs = 1, mode = 'guard', home, name, system = clientSystem } = options;
  if (!(Number.isFinite(perDayUsd) && perDayUsd >= 0))
    throw new TypeError('perDayUsd is a number of USD, zero or more');
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs is above zero');
  const state = fileGuardState({ home, name }, mode, system.clock);
  const warn = options.onWarning ?? ((text: string) => process.emitWarning(text, 'PreflightGuard'));
  const record = new GuardRecord(state, mode, system, warn);
  return proxyOf(client, methodsOf(client, { client: formOf(client), options, state, system, record, warn }));
}

function formOf(client: object): GuardedClient {
  const has = (name: string) => typeof Reflect.get(client, name, client) === 'function';
  if (has('createAndPostMarketOrder') && has('createMarketOrder') && has('postOrder')) return clobClient(client);
  if (has('placeMarketOrder') && has('createMarketOrder') && has('postOrder')) return tsSdk(client);
  throw new TypeError('this is no client of the venue that can send orders');
}

/** The methods that take the place of the client's own, by their names. */
function methodsOf(client: object, context: GuardContext): ReadonlyMap<PropertyKey, Method> {
  const { single, batch, cancels, unguarded } = context.client;
  const methods = new Map<PropertyKey, Method>([[batch.method, batchMethod(context)]]);
  for (const [name, toCall] of Object.entries(single)) methods.set(name, singleMethod(context, toCall));
  for (const name of cancels) methods.set(name, cancelMethod(client, context, name));
  if (context.options.mode !== 'shadow') for (const name of unguarded) methods.set(name, () => refuseUnguarded(name));
  // What a client is extended to can send orders as well.
  if ('extend' in client)
    methods.set('extend', (...args) =>
      guard(methodOf(client, 'extend').apply(client, [...args]) as object, context.options),
    );
  return methods;
}

function singleMethod(context: GuardContext, toCall: GuardedClient['single'][string]): Method {
  return async (...args) => {
    const call = toCall(...args);
    if (context.options.mode === 'shadow') return shadowOrders(context, [call], () => call.callThrough());
    const prepared = announceOrder(context, await prepareOrder(context, call));
    return prepared.kind === 'refused' ? concludeRefused(context, prepared.error) : postOrder(context, prepared.order);
  };
}

/**
 * Those of several orders that may go out are posted together; each of the others has its refusal in
 * its place. If none may, it is as with a single one.
 */
function batchMethod(context: GuardContext): Method {
  const { batch } = context.client;
  return async (...args) => {
    const calls = batch.calls(args);
    const all = calls.map((_, at) => at);
    if (context.options.mode === 'shadow' || calls.length === 0) {
      return shadowOrders(context, calls, () => batch.post(args, all));
    }
    const claimed: Prepared[] = [];
    // One after the other: each claims what those before it have left.
    for (const call of calls) claimed.push(await prepareOrder(context, call));
    const prepared = claimed.map((one) => announceOrder(context, one));
    const kept = all.filter((at) => prepared[at]!.kind === 'ready');
    const ready = prepared.flatMap((one) => (one.kind === 'ready' ? [one.order] : []));
    const answers = ready.length === 0 ? [] : await postTogether(context, ready, () => batch.post(args, kept));
    const conclude = ready.length === 0 ? concludeRefused : refusedAnswer;
    return prepared.map((one, at) =>
      one.kind === 'refused' ? conclude(context, one.error) : answers[kept.indexOf(at)],
    );
  };
}

/** A cancel goes out first, and is written down then. */
function cancelMethod(client: object, { record }: GuardContext, name: string): Method {
  return (...args) => {
    const done = methodOf(client, name).apply(client, [...args]);
    record.cancelled(name);
    return done;
  };
}

/** Thrown whatever the client does with refusals: in the place of a session no answer has a form. */
async function refuseUnguarded(name: string): Promise<never> {
  const why = `what ${name} trades can be neither judged nor counted. Call it on the client itself if you mean to`;
  throw new OrderRefused({ rule: 'unguarded', why, verdict: null });
}

/**
 * The client with some of its methods replaced. The others run on the client itself: its private
 * members would not know a proxy.
 */
function proxyOf<Client extends object>(client: Client, methods: ReadonlyMap<PropertyKey, Method>): Client {
  const own = new WeakMap<object, unknown>();
  const onClient = (method: Method) => {
    const known = own.get(method);
    if (known !== undefined) return known;
    const bound = new Proxy(method, { apply: (target, _this, args) => Reflect.apply(target, client, args) });
    own.set(method, bound);
    return bound;
  };
  return new Proxy(client, {
    get(target, key) {
      const replaced = methods.get(key);
      if (replaced !== undefined) return replaced;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' && key !== 'constructor' ? onClient(value as Method) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}
