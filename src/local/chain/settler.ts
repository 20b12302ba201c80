import { InMemoryPendingSettlementStore, x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { concatHex, encodeFunctionData, type Hash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Call } from './chain-sends.js';
import type { LocalChain } from './local-chain.js';
import { waitForReceipt } from './receipts.js';

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

type ContractCall = Parameters<FacilitatorEvmSigner['writeContract']>[0];

/**
 * Returns what the x402 facilitator does on a chain, done on the local one by the relayer's key.
 */
function createRelayer(chain: LocalChain, confirmMsMax: number): FacilitatorEvmSigner {
  const { client, keys } = chain;
  const { address } = privateKeyToAccount(keys.relayer);
  return {
    getAddresses: () => [address],
    readContract: (args) => client.readContract(args),
    verifyTypedData: (args) => client.verifyTypedData(args as Parameters<typeof client.verifyTypedData>[0]),
    getCode: (args) => client.getCode(args),
    writeContract: (args) => chain.send(keys.relayer, toCall(args)),
    sendTransaction: (call) => chain.send(keys.relayer, call),
    waitForTransactionReceipt: ({ hash }) => waitForReceipt(client, hash, confirmMsMax),
  };
}

/**
 * Returns a relayer that hands its transactions to the given function instead of sending them, and
 * tires of waiting at once.
 */
function createLateRelayer(
  chain: LocalChain,
  relayer: FacilitatorEvmSigner,
  sendLater: (send: () => Promise<void>) => void,
): FacilitatorEvmSigner {
  return {
    ...relayer,
    async writeContract(args): Promise<Hash> {
      const signed = await chain.signForLater(toCall(args));
      sendLater(() => signed.send());
      return signed.hash;
    },
    waitForTransactionReceipt: async ({ hash }) => {
      throw new Error(`timed out waiting for ${hash}`);
    },
  };
}

function toCall({ address, abi, functionName, args, dataSuffix }: ContractCall): Call {
  const data = encodeFunctionData({ abi, functionName, args });
  return { to: address, data: dataSuffix === undefined ? data : concatHex([data, dataSuffix]) };
}
