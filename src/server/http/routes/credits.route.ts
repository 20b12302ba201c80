import { eitherFlag, readToolFlag, type ToolFlag, withoutNulls } from '#api/arguments';
import { type PaymentTerms, paymentOffer } from '#api/operations';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { JsonObject } from '#domain/json';
import { readCredentials, readPaymentHeaders } from '#doors/credentials';
import { type Body, callerOf } from '#doors/request';
import type { Route } from '#doors/route';
import { type BalanceReader, creditsAnswer } from '#services/credits/balance-answer';
import type { Gate } from '#services/gate/gate';
import type { PurchaseSecrets } from '#services/payments/purchase-secret';
import type { Clock } from '#system/clock';
import { ok } from '../answers/answer.js';
import { createToAnswer } from '../answers/gate-answer.js';
import { readJsonBody } from '../requests/body.js';

export interface CreditsRouteDeps {
  readonly credits: BalanceReader;
  readonly gate: Pick<Gate<string>, 'buyCredits'>;
  readonly terms: PaymentTerms;
  readonly usdc: WalletAddress;
  readonly clock: Clock;
  readonly purchaseSecrets: Pick<PurchaseSecrets, 'issue'>;
}

/**
 * GET /api/credits: the terms of the pack, and with a valid token the balance; free. POST buys the
 * pack with x402; all that may be said, in the query or a body, is the free switch.
 */
export function creditsRoute({ credits, gate, terms, usdc, clock, purchaseSecrets }: CreditsRouteDeps): Route {
  const toAnswer = createToAnswer(paymentOffer('credits', terms), clock, purchaseSecrets.issue);
  return {
    path: '/api/credits',
    methods: {
      POST: async (req, res) => {
        const { x402Probe, fault } = readPurchase(req.query, await readJsonBody(req, res));
        if (fault !== null && x402Probe !== 'set') throw fault;
        const call = {
          requestId: req.requestId,
          caller: callerOf(req),
          x402Probe,
          payment: readPaymentHeaders(req.headers, usdc),
          idempotencyKey: readCredentials(req.headers).idempotencyKey,
        };
        return toAnswer(await gate.buyCredits(call));
      },
      GET: async (req) => {
        if (Object.keys(req.query).length > 0) {
          throw new Problem('invalid_parameter', 'this endpoint takes no parameters: send the token in Authorization');
        }
        return ok(await creditsAnswer(credits, readCredentials(req.headers).bearer));
      },
    },
  };
}

const NO_PARAMETERS = new Problem(
  'invalid_parameter',
  'a purchase takes no parameters but x402_probe=1, which returns its terms: send the payment in PAYMENT-SIGNATURE',
);

/** The switch is looked for first: when set, it answers whatever else is in the request. */
function readPurchase(query: JsonObject, body: Body): { readonly x402Probe: ToolFlag; readonly fault: Problem | null } {
  const given = body.kind === 'object' ? (withoutNulls(body.value) as JsonObject) : {};
  const x402Probe = eitherFlag(readToolFlag(query.x402_probe), readToolFlag(given.x402_probe));
  if (body.kind === 'refused') return { x402Probe, fault: body.problem };
  const hasOthers = [query, given].some((one) => Object.keys(one).some((name) => name !== 'x402_probe'));
  return { x402Probe, fault: hasOthers ? NO_PARAMETERS : null };
}
