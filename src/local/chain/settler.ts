import { InMemoryPendingSettlementStore, x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import type { LocalChain } from './local-chain.js';
import { createLateRelayer, createRelayer } from './relayer.js';

/** A payment and what it is for, in one version's form: the body of verify and settle. */
export interface PaymentToSettle {
  readonly paymentPayload: PaymentPayload;
  readonly paymentRequirements: PaymentRequirements;
}

/** The reference facilitator on the local chain; it can be made late. */
export class Settler {
  readonly #chain: LocalChain;
  readonly #pending = new InMemoryPendingSettlementStore();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #relayer: FacilitatorEvmSigner;
  readonly #prompt: x402Facilitator;

  constructor(chain: LocalChain, confirmMsMax: number) {
    this.#chain = chain;
    this.#relayer = createRelayer(chain, confirmMsMax);
    this.#prompt = this.#facilitator(this.#relayer);
  }

  /** Returns the body of GET /supported. */
  supported(): ReturnType<x402Facilitator['getSupported']> {
    return this.#prompt.getSupported();
  }

  async verify({ paymentPayload, paymentRequirements }: PaymentToSettle): Promise<VerifyResponse> {
    await this.#chain.wake();
    return this.#prompt.verify(paymentPayload, paymentRequirements);
  }

  /** Moves the money, if it can be moved, and returns when that is on the chain. */
  async settle({ paymentPayload, paymentRequirements }: PaymentToSettle): Promise<SettleResponse> {
    await this.#chain.wake();
    return this.#prompt.settle(paymentPayload, paymentRequirements);
  }

  /**
   * Answers `settlement_pending` with the hash of a transfer that is sent so much later, or never.
   */
  async settleLater(payment: PaymentToSettle, afterMs: number | 'never'): Promise<SettleResponse> {
    const late = createLateRelayer(this.#chain, this.#relayer, (send) => this.#later(afterMs, send));
    return this.#facilitator(late).settle(payment.paymentPayload, payment.paymentRequirements);
  }

  /** Forgets the transfers that are still to be sent. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #facilitator(signer: FacilitatorEvmSigner): x402Facilitator {
    const v2 = new ExactEvmScheme(signer, { pendingSettlementStore: this.#pending });
    // Not the package's registerExactEvmScheme: it would offer every network it knows. Its types
    // know v2's names alone.
    return new x402Facilitator().register('eip155:8453', v2).registerV1('base' as never, new ExactEvmSchemeV1(signer));
  }

  #later(afterMs: number | 'never', send: () => Promise<void>): void {
    if (afterMs === 'never') return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // It fails where the chain was stopped meanwhile; that is as late as can be.
      send().catch(() => {});
    }, afterMs);
    this.#timers.add(timer);
  }
}
