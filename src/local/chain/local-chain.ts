import { join } from 'node:path';
import { type Address, encodeFunctionData, type Hash, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Log } from '#ports/log';
import type { ChainClient } from './chain-client.js';
import type { ChainKeys } from './chain-keys.js';
import { ChainNode, type SignedCall } from './chain-node.js';
import type { Call } from './chain-sends.js';
import { findAnvil } from './find-anvil.js';
import { installIfMissing } from './install-anvil.js';
import { balanceSlot, cancelTypes, toWord, USDC_ADDRESS, usdcAbi, usdcDomain } from './usdc.js';

export interface LocalChainOptions {
  /** The chain is kept in its folder "chain". */
  readonly dataDir: string;
  readonly keys: ChainKeys;
  /** Path of an anvil (ANVIL_BIN); null or absent: that of the optional package. */
  readonly anvilBin?: string | null;
  /**
   * Absent: a transaction gets a block at once. Else it waits for the next; blocks come so many ms
   * apart.
   */
  readonly blockTimeMs?: number;
  /**
   * With a block per transaction: empty blocks come so many ms apart while the chain is in use (2
   * 000 by default, as on Base), because time passes on a chain by its blocks. 0: none.
   */
  readonly heartbeatMs?: number;
  readonly log?: Log;
}

const HEARTBEAT_MS_USUAL = 2_000;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Starts the local chain, or continues the one of this data directory; says why where anvil does
 * not run on this machine.
 */
export async function startLocalChain(
  options: LocalChainOptions,
): Promise<LocalChain | { readonly unavailable: string }> {
  const { dataDir, keys, blockTimeMs = null, heartbeatMs = HEARTBEAT_MS_USUAL, log = silent } = options;
  const found = await installIfMissing(findAnvil(options.anvilBin ?? null), log);
  if (found.kind === 'unavailable') return { unavailable: found.why };
  const node = await ChainNode.start({
    anvilPath: found.path,
    dir: join(dataDir, 'chain'),
    log,
    minter: privateKeyToAccount(keys.minter).address,
    blockTimeMs,
    heartbeatMs,
  });
  if (!(node instanceof ChainNode)) return node;
  const chain = new LocalChain(node, keys);
  await chain.fundGas(privateKeyToAccount(keys.minter).address);
  await chain.fundGas(privateKeyToAccount(keys.relayer).address);
  return chain;
}

/** A chain that looks like Base: chain id 8453, USDC at its address. Amounts are micro-USDC. */
export class LocalChain {
  readonly #node: ChainNode;
  readonly usdcAddress = USDC_ADDRESS;

  constructor(
    node: ChainNode,
    readonly keys: ChainKeys,
  ) {
    this.#node = node;
  }

  get rpcUrl(): string {
    return this.#node.rpcUrl;
  }

  /** Process id of anvil; it changes when anvil was ended and started anew. */
  get anvilPid(): number {
    return this.#node.pid;
  }

  /** For reading; what changes the chain goes through the methods here, or kill -9 may lose it. */
  get client(): ChainClient {
    return this.#node.client;
  }

  /** Makes test money. */
  mint(to: Address, micros: bigint): Promise<Hash> {
    const data = encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, micros] });
    return this.send(this.keys.minter, { to: USDC_ADDRESS, data });
  }

  balanceOf(account: Address): Promise<bigint> {
    return this.client.readContract({
      address: USDC_ADDRESS,
      abi: usdcAbi,
      functionName: 'balanceOf',
      args: [account],
    });
  }

  /** Whether the authorization was used or cancelled. */
  isAuthorizationSpent(authorizer: Address, nonce: Hex): Promise<boolean> {
    const args = [authorizer, nonce] as const;
    return this.client.readContract({ address: USDC_ADDRESS, abi: usdcAbi, functionName: 'authorizationState', args });
  }

  /**
   * Writes a balance past the token's rules (no event, no block); the total supply does not follow.
   */
  setBalance(account: Address, micros: bigint): Promise<void> {
    return this.#node.change((client) =>
      client.setStorageAt({ address: USDC_ADDRESS, index: balanceSlot(account), value: toWord(micros) }),
    );
  }

  /** Takes back an authorization that was not used yet, as its payer would; throws if it was. */
  async cancelAuthorization(payerKey: Hex, nonce: Hex): Promise<Hash> {
    const payer = privateKeyToAccount(payerKey);
    const message = { authorizer: payer.address, nonce };
    const primaryType = 'CancelAuthorization';
    const signature = await payer.signTypedData({ domain: usdcDomain, types: cancelTypes, primaryType, message });
    const args = [payer.address, nonce, signature] as const;
    const data = encodeFunctionData({ abi: usdcAbi, functionName: 'cancelAuthorization', args });
    return this.send(this.keys.minter, { to: USDC_ADDRESS, data });
  }

  /** Gives an account ETH to pay for transactions. */
  fundGas(account: Address): Promise<void> {
    return this.#node.fundGas(account);
  }

  /** Makes so many blocks (1) now. */
  mine(blocks?: number): Promise<void> {
    return this.#node.mine(blocks);
  }

  /**
   * Lets the chain's time run ahead of the machine's for good, and makes a block. Facilitators go
   * by the machine's.
   */
  async increaseTime(seconds: number): Promise<void> {
    await this.client.increaseTime({ seconds });
    await this.mine();
  }

  /** Says that the chain is in use, so that its time goes on. */
  wake(): Promise<void> {
    return this.#node.wake();
  }

  /**
   * Sends a call signed with the key. Throws the contract's reason, with nothing sent, where it
   * would fail.
   */
  send(privateKey: Hex, call: Call): Promise<Hash> {
    return this.#node.send(privateKey, call);
  }

  /** Signs a call with a key made for it alone; it may be sent later or never. */
  async signForLater(call: Call): Promise<SignedCall> {
    const key = generatePrivateKey();
    await this.fundGas(privateKeyToAccount(key).address);
    return this.#node.sign(key, call);
  }

  /** Keeps the chain and ends anvil. */
  stop(): Promise<void> {
    return this.#node.stop();
  }
}
