import { type Address, BaseError, type Hash, type Hex, keccak256, RpcRequestError } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainClient } from './chain-client.js';
import type { ChainFiles, Journaled } from './chain-files.js';
import { waitForReceipt } from './receipts.js';
import { nextBlockS } from './recover.js';
import { CHAIN_ID } from './usdc.js';

/** On top of the estimate, which is made of a state that may have changed by then. */
const GAS_SPARE = 100_000n;
const GAS_WITHOUT_ESTIMATE = 300_000n;
/** Above any base fee the chain reaches. */
const FEE_WEI_MAX = 100_000_000_000n;

/** A contract call to be sent. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/**
 * What makes blocks, each noted in the journal. Nothing here waits for its turn: the node lets one
 * in at a time, because two sends of one key would take the same nonce, and a nonce taken by a send
 * that fails would hold up all later ones.
 */
export class ChainSends {
  readonly #client: ChainClient;
  readonly #files: ChainFiles;
  readonly #mining: 'at once' | 'by time';
  /**
   * The last block that dump and journal account for. Above it others made blocks, which only a
   * dump can keep.
   */
  #reportedHead = -1n;
  #inPool: Journaled[] = [];

  constructor(
    client: ChainClient,
    files: ChainFiles,
    /** Whether a transaction gets a block at once, or waits for the next one. */
    mining: 'at once' | 'by time',
  ) {
    this.#client = client;
    this.#files = files;
    this.#mining = mining;
  }

  /**
   * Asks the chain whether the call would succeed, throwing its reason where not; then signs and
   * sends it.
   */
  async send(privateKey: Hex, call: Call): Promise<Hash> {
    const account = privateKeyToAccount(privateKey);
    const gas = await this.#client.estimateGas({ account: account.address, ...call });
    const nonce = await this.#client.getTransactionCount({ address: account.address, blockTag: 'pending' });
    const raw = await account.signTransaction(transaction(call, nonce, gas + GAS_SPARE));
    await this.sendRaw(raw);
    return keccak256(raw);
  }

  /** Signs without asking and without sending. */
  async sign(privateKey: Hex, call: Call): Promise<Hex> {
    const account = privateKeyToAccount(privateKey);
    const nonce = await this.#client.getTransactionCount({ address: account.address });
    return account.signTransaction(transaction(call, nonce, GAS_WITHOUT_ESTIMATE));
  }

  /**
   * Sends a signed transaction; returns when it is in a block, or in the pool where blocks come by
   * time.
   */
  async sendRaw(raw: Hex): Promise<void> {
    const entry = this.#files.append({ kind: 'send', raw, atS: await nextBlockS(this.#client) });
    const hash = await this.#client.sendRawTransaction({ serializedTransaction: raw }).catch((error: unknown) => {
      // Where the chain did not answer, it may have taken it: then it stays in the journal.
      if (isRefusal(error)) entry.drop();
      throw error;
    });
    if (this.#mining === 'by time') {
      this.#inPool.push(entry);
      return;
    }
    const { blockNumber } = await waitForReceipt(this.#client, hash);
    entry.done();
    this.#report(blockNumber - 1n, blockNumber);
  }

  /** Makes blocks. */
  async mine(blocks: number): Promise<void> {
    const before = await this.#client.getBlockNumber();
    const mined = this.#inPool.splice(0);
    await this.#client.mine({ blocks });
    for (const entry of mined) entry.done();
    const { number, timestamp, transactions } = await this.#client.getBlock();
    this.#files.append({ kind: 'blocks', head: Number(number), atS: Number(timestamp) }).done();
    if (transactions.length <= mined.length) this.#report(before, number);
  }

  /** Keeps all of the chain on disk. */
  async save(): Promise<void> {
    const head = await this.#client.getBlockNumber();
    this.#files.save(await this.#client.dumpState());
    this.#reportedHead = head;
  }

  /** Whether the chain has blocks that kill -9 of anvil would lose. */
  async hasUntoldBlocks(): Promise<boolean> {
    return (await this.#client.getBlockNumber()) > this.#reportedHead;
  }

  #report(after: bigint, until: bigint): void {
    if (this.#reportedHead === after) this.#reportedHead = until;
  }
}

function transaction({ to, data }: Call, nonce: number, gas: bigint) {
  const fees = { maxFeePerGas: FEE_WEI_MAX, maxPriorityFeePerGas: 1n };
  return { type: 'eip1559', chainId: CHAIN_ID, to, data, nonce, gas, ...fees } as const;
}

function isRefusal(error: unknown): boolean {
  return error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError) !== null;
}
