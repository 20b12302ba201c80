import type { ServerResponse } from 'node:http';
import { eitherFlag, type FlaggedArguments, splitToolFlags } from '#api/arguments';
import { type Method, OPERATIONS, type PaymentTerms, paymentOffer, type ServedTool } from '#api/operations';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { readCredentials, readPaymentHeaders } from '#doors/credentials';
import { type Body, callerOf, type DoorRequest, isGone } from '#doors/request';
import type { Handler, Route } from '#doors/route';
import type { CallPayment, GateCall } from '#services/gate/call';
import type { Gate } from '#services/gate/gate';
import type { PurchaseSecrets } from '#services/payments/purchase-secret';
import type { Clock } from '#system/clock';
import { problemAnswer } from '../answers/answer.js';
import { createToAnswer } from '../answers/gate-answer.js';
import { readJsonBody } from '../requests/body.js';

/** What the routes of the paid tools need. */
export interface ToolRouteDeps {
  readonly gate: Pick<Gate<ServedTool>, 'run'>;
  readonly terms: PaymentTerms;
  readonly usdc: WalletAddress;
  readonly clock: Clock;
  readonly purchaseSecrets: Pick<PurchaseSecrets, 'issue'>;
}

/**
 * Returns the routes of the paid tools: GET with parameters in the query, POST (where there is one)
 * with the same in a JSON body.
 */
export function toolRoutes(deps: ToolRouteDeps): readonly Route[] {
  return (Object.keys(OPERATIONS) as ServedTool[]).map((tool) => toolRoute(tool, deps));
}

function toolRoute(tool: ServedTool, { gate, terms, usdc, clock, purchaseSecrets }: ToolRouteDeps): Route {
  const toAnswer = createToAnswer(paymentOffer(tool, terms), clock, purchaseSecrets.issue);
  const run = (req: DoorRequest, input: FlaggedArguments<unknown>) =>
    gate.run(tool, toCall(req, input, readPaymentHeaders(req.headers, usdc))).then(toAnswer);
  const GET: Handler = (req) => run(req, splitToolFlags(req.query));
  // A HEAD never runs, debits or settles, whatever credentials it carries: it is a call that
  // brought none.
  const HEAD: Handler = (req) => {
    const call = toCall(req, splitToolFlags(req.query), { kind: 'none' });
    return gate.run(tool, { ...call, bearer: null, idempotencyKey: null }).then(toAnswer);
  };
  const POST: Handler = async (req, res) => {
    const { input, refused } = await readPost(req, res);
    return refused === null ? run(req, input) : problemAnswer(refused);
  };
  const { path, methods } = OPERATIONS[tool];
  return { path, methods: (methods as readonly Method[]).includes('POST') ? { GET, HEAD, POST } : { GET, HEAD } };
}

/**
 * A POST has its parameters in the body and the free switches there or in the query. A body that
 * cannot be read is refused only if no free switch is set: these answer whatever else is in the
 * request.
 */
async function readPost(
  req: DoorRequest,
  res: ServerResponse,
): Promise<{ input: FlaggedArguments<unknown>; refused: Problem | null }> {
  const query = splitToolFlags(req.query);
  const body = await readJsonBody(req, res);
  const given = splitToolFlags(body.kind === 'object' ? body.value : {});
  const sandbox = eitherFlag(query.sandbox, given.sandbox);
  const x402Probe = eitherFlag(query.x402Probe, given.x402Probe);
  const input = { sandbox, x402Probe, args: postFault(body, query.args) ?? given.args };
  const free = sandbox === 'set' || x402Probe === 'set';
  return { input, refused: body.kind === 'refused' && !free ? body.problem : null };
}

function postFault(body: Body, inQuery: object): Problem | null {
  if (Object.keys(inQuery).length > 0) {
    return new Problem('invalid_parameter', 'the parameters of a POST go into its JSON body, not into the query');
  }
  return body.kind === 'absent' ? new Problem('invalid_parameter', 'a POST needs a JSON body with the order') : null;
}

/** Written out: to spread the parts of a call costs more than to judge its order. */
function toCall(
  req: DoorRequest,
  { sandbox, x402Probe, args }: FlaggedArguments<unknown>,
  payment: CallPayment,
): GateCall {
  const { bearer, idempotencyKey } = readCredentials(req.headers);
  return {
    requestId: req.requestId,
    caller: callerOf(req),
    isGone: () => isGone(req),
    sandbox,
    x402Probe,
    bearer,
    payment,
    idempotencyKey,
    args,
  };
}
