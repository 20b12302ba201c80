import type { PaymentOffer } from '#wire/x402/x402';
import { PAYMENT_META } from '#wire/x402/x402-payment';
import type { Demand } from './payment-outcome.js';

/** Where a caller came in: the same step is another one there. */
type DoorName = 'http' | 'mcp';

const SEND_TOKEN = 'send a bearer token with credits ("Authorization: Bearer <token>")';

/** What a caller without payment or token does next. */
const NEXT: Readonly<Record<DoorName, { readonly tool: string; readonly pack: string }>> = {
  http: {
    tool: `repeat the request with an x402 payment on these terms in PAYMENT-SIGNATURE (v2) or X-PAYMENT (v1), or ${SEND_TOKEN}; sandbox=1 returns a free example`,
    pack: 'repeat the request with an x402 payment on these terms in PAYMENT-SIGNATURE (v2) or X-PAYMENT (v1)',
  },
  mcp: {
    tool: `repeat the call with an x402 payment on these terms in _meta["${PAYMENT_META}"], or ${SEND_TOKEN}; sandbox: true returns a free example`,
    pack: `repeat the call with an x402 payment on these terms in _meta["${PAYMENT_META}"]`,
  },
};

/** Returns what a call costs, as a sentence; `usdc` is the price as people write it. */
export function priceSentence(usdc: string): string {
  return `This call costs ${usdc} USDC.`;
}

/** What a demand is made for, and where. */
interface Asked {
  readonly operation: PaymentOffer['operation'] | undefined;
  readonly usdc: string;
  readonly door: DoorName;
}

/**
 * Returns what a demand for payment says: why, what the call costs, and what to do next at this
 * door, unless the reason says that itself.
 */
export function demandText({ code, reason, fault }: Demand, { operation, usdc, door }: Asked): string {
  const said = `${reason}. ${priceSentence(usdc)}`;
  if (fault !== undefined) return `${said} Correct it before you pay, it would be refused: ${fault.message}`;
  if (code !== 'payment_required') return said;
  return `${said} Next: ${NEXT[door][operation === 'credits' ? 'pack' : 'tool']}.`;
}
