import type { RedeemResponse, TokenResponse } from '#api/credits';
import { tokenRequestText } from '#domain/credits/token-request';
import type { MessageSigner } from '../account/message-signer.js';
import type { CallOptions } from '../answers.js';
import type { ClientContext } from '../purchase/context.js';
import { NotPaid } from '../terms/errors.js';
import { toHex } from '../text.js';
import type { FreeCalls } from './free-calls.js';

const NONCE_BYTES = 16;
const BY_KEY = 'the key of the wallet gets a new one by POST /api/credits/token (preflight token)';

/** Free calls whose answers hold a token, which is shown once. */
export class TokenCalls {
  readonly #context: ClientContext;
  readonly #free: FreeCalls;
  readonly #signer: MessageSigner | null;

  constructor(context: ClientContext, free: FreeCalls, signer: MessageSigner | null) {
    this.#context = context;
    this.#free = free;
    this.#signer = signer;
  }

  /** A code is redeemed once: whoever lost the answer does not get it again. */
  redeem(code: string, wallet: string, options: CallOptions): Promise<RedeemResponse> {
    return this.#free.post('/api/redeem', { code, wallet }, options, {
      lost: `The code may have been redeemed: try again. If that is answered 409, ${BY_KEY}`,
      conflict: `If the token was lost, ${BY_KEY}`,
    });
  }

  /**
   * Signs for a new token (docs/interface-paying.md, "A lost token"). The message names this
   * service, so that it is no good for another one.
   */
  async newToken(options: CallOptions): Promise<TokenResponse> {
    const signer = this.#signer;
    if (signer === null) {
      const next = 'Give an account that signs messages';
      throw new NotPaid('a new token is given to the wallet that signs for it', { charged: 'nothing', next });
    }
    const { baseUrl, system } = this.#context;
    const { wallet } = signer;
    const nonce = toHex(system.random.bytes(NONCE_BYTES));
    const issuedAt = new Date(system.clock.nowMs()).toISOString();
    const message = tokenRequestText({ domain: new URL(baseUrl).host, wallet, nonce, issuedAt });
    const signature = await signer.signMessage({ message }).catch((cause) => {
      throw new NotPaid('the account did not sign', { charged: 'nothing', next: 'Nothing was sent; try again', cause });
    });
    return this.#free.post('/api/credits/token', { wallet, nonce, issued_at: issuedAt, signature }, options);
  }
}
