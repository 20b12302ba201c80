import { readToolFlag } from '#api/arguments';
import { type PaymentTerms, paymentOffer } from '#api/operations';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { readCredentials, readPaymentHeaders } from '#doors/credentials';
import { callerOf } from '#doors/request';
import type { Route } from '#doors/route';
import { type BalanceReader, creditsAnswer } from '#services/credits/balance-answer';
import type { Gate } from '#services/gate/gate';
import type { PurchaseSecrets } from '#services/payments/purchase-secret';
import type { Clock } from '#system/clock';
import { ok } from '../answers/answer.js';
import { createToAnswer } from '../answers/gate-answer.js';

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
 * pack with x402; a body is not looked at, since there is nothing to say in it.
 */
export function creditsRoute({ credits, gate, terms, usdc, clock, purchaseSecrets }: CreditsRouteDeps): Route {
  const toAnswer = createToAnswer(paymentOffer('credits', terms), clock, purchaseSecrets.issue);
  return {
    path: '/api/credits',
    methods: {
      POST: async (req) => {
        const { x402_probe: probe, ...others } = req.query;
        if (Object.keys(others).length > 0) {
          throw new Problem(
            'invalid_parameter',
            'a purchase takes no parameters: send the payment in PAYMENT-SIGNATURE',
          );
        }
        const call = {
          requestId: req.requestId,
          caller: callerOf(req),
          x402Probe: readToolFlag(probe),
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
