import { mkdirSync } from 'node:fs';
import { type Address, type Hash, type Hex, keccak256 } from 'viem';
import { systemClock } from '#adapters/process/system-clock';
import type { Log } from '#ports/log';
import { type Anvil, startAnvil } from './anvil.js';
import { type ChainClient, createChainClient, deployContracts } from './chain-client.js';
import { ChainFiles } from './chain-files.js';
import { lockChainDir, type Release } from './chain-lock.js';
import { type Call, ChainSends } from './chain-sends.js';
import { Heartbeat } from './heartbeat.js';
import { OneAtATime } from './one-at-a-time.js';
import { goOn, recover } from './recover.js';
import { repeat } from './repeat.js';

/** So old may blocks get that others sent to anvil past us, before they are dumped. */
const SAVE_INTERVAL_MS = 1_000;
/** Restoring one entry takes some 5 ms. */
const JOURNAL_ENTRIES_MAX = 200;
/** How often anvil is started anew when something else ended it. */
const RESTARTS_MAX = 20;
const GAS_MONEY_WEI = 10n ** 24n;

export interface ChainNodeOptions {
  readonly anvilPath: string;
  readonly dir: string;
  readonly log: Log;
  /** May make test money. */
  readonly minter: Address;
  /**
   * null: a block per transaction, at once. Else transactions wait for the next block; blocks come
   * so many ms apart.
   */
  readonly blockTimeMs: number | null;
  /**
   * With a block per transaction: an empty block comes so often while the chain is in use; 0:
   * never.
   */
  readonly heartbeatMs: number;
}

/** A transaction that is signed and not yet sent. */
export interface SignedCall {
  readonly hash: Hash;
  /** Sends it; resolves when it is in a block, or in the pool where blocks come by time. */
  send(): Promise<void>;
}

/**
 * An anvil whose chain outlives it and us (see ChainFiles). All that changes the chain takes turns.
 */
export class ChainNode {
  readonly #options: ChainNodeOptions;
  #anvil: Anvil;
  readonly #release: Release;
  readonly client: ChainClient;
  readonly rpcUrl: string;
  readonly #turns = new OneAtATime();
  readonly #files: ChainFiles;
  readonly #sends: ChainSends;
  readonly #heartbeat: Heartbeat;
  readonly #ends: (() => void)[] = [];
  #restarts = 0;
  #stopping = false;

  private constructor(options: ChainNodeOptions, anvil: Anvil, release: Release) {
    this.#options = options;
    this.#anvil = anvil;
    this.#release = release;
    this.rpcUrl = anvil.rpcUrl;
    this.client = createChainClient(anvil.rpcUrl);
    this.#files = new ChainFiles(options.dir);
    this.#sends = new ChainSends(this.client, this.#files, options.blockTimeMs === null ? 'at once' : 'by time');
    this.#heartbeat = new Heartbeat({
      client: this.client,
      intervalMs: options.blockTimeMs === null ? options.heartbeatMs : 0,
      mineIf: (isDue) => this.#turns.run(async () => ((await isDue()) ? this.#sends.mine(1) : undefined)),
      failed: this.#failed,
    });
  }

  /**
   * Starts anvil and brings the chain of the directory back. Throws if another process has it, or
   * it cannot be read.
   */
  static async start(options: ChainNodeOptions): Promise<ChainNode | { readonly unavailable: string }> {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    const release = await lockChainDir(options.dir);
    const started = await startAnvil({ path: options.anvilPath });
    if (started.kind === 'unavailable') {
      release();
      return { unavailable: started.why };
    }
    const node = new ChainNode(options, started.anvil, release);
    try {
      await node.#turns.run(() => node.#open());
    } catch (cause) {
      await node.#end();
      throw new Error(`the chain in ${options.dir} cannot be read; delete it to start a new one`, { cause });
    }
    node.#startTimers();
    return node;
  }

  /** Process id of the anvil that runs now. */
  get pid(): number {
    return this.#anvil.pid;
  }

  /**
   * Sends a call signed with the key. Throws the contract's reason, with nothing sent, where it
   * would fail.
   */
  send(privateKey: Hex, call: Call): Promise<Hash> {
    return this.#turns.run(() => this.#sends.send(privateKey, call));
  }

  /**
   * Signs with a key that nothing else uses, so that it may be sent at any time or never without
   * holding up others.
   */
  async sign(privateKey: Hex, call: Call): Promise<SignedCall> {
    const raw = await this.#sends.sign(privateKey, call);
    return { hash: keccak256(raw), send: () => this.#turns.run(() => this.#sends.sendRaw(raw)) };
  }

  /** Gives the account ETH for transactions, if it has little. */
  async fundGas(address: Address): Promise<void> {
    if ((await this.client.getBalance({ address })) > GAS_MONEY_WEI / 2n) return;
    await this.change((client) => client.setBalance({ address, value: GAS_MONEY_WEI }));
  }

  /** Changes the chain past its rules; resolves when the change is on disk. */
  change(apply: (client: ChainClient) => Promise<void>): Promise<void> {
    return this.#turns.run(async () => {
      await apply(this.client);
      await this.#sends.save();
    });
  }

  /** Makes so many blocks now. */
  mine(blocks = 1): Promise<void> {
    return this.#turns.run(() => this.#sends.mine(blocks));
  }

  /** Says that the chain is in use, so that its time goes on. */
  wake(): Promise<void> {
    return this.#heartbeat.wake();
  }

  /** Keeps the chain and ends anvil. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#turns
      .run(() => this.#sends.save())
      .catch((error: unknown) => {
        this.#options.log.warn({ error: String(error) }, 'the last blocks are kept in the journal only');
      });
    await this.#end();
  }

  async #open(): Promise<void> {
    await recover(this.client, this.#files.read());
    await deployContracts(this.client, this.#options.minter);
    await goOn(this.client, systemClock.nowMs());
    await this.#sends.save();
    if (this.#options.blockTimeMs !== null) await this.client.setAutomine(false);
    void this.#anvil.exited.then(() => this.#turns.run(() => this.#reopen()));
  }

  /**
   * Somebody ended anvil: the chain goes on in a new one at the same port. What changes it waits;
   * reads fail meanwhile.
   */
  async #reopen(): Promise<void> {
    for (; this.#restarts < RESTARTS_MAX && !this.#stopping; this.#restarts += 1) {
      this.#options.log.warn({ pid: this.pid, restarts: this.#restarts }, 'anvil ended; restarting it');
      const isOpen = await this.#startAgain().catch(this.#failed);
      if (isOpen === true) return;
    }
    if (!this.#stopping) this.#options.log.error({ restarts: this.#restarts }, 'the local chain stays down');
  }

  async #startAgain(): Promise<true> {
    const started = await startAnvil({ path: this.#options.anvilPath, port: this.#anvil.port });
    if (started.kind === 'unavailable') throw new Error(started.why);
    this.#anvil = started.anvil;
    try {
      await this.#open();
    } catch (error) {
      await this.#anvil.stop();
      throw error;
    }
    return true;
  }

  #startTimers(): void {
    const { blockTimeMs } = this.#options;
    this.#ends.push(repeat(SAVE_INTERVAL_MS, () => this.#saveIfNeeded(), this.#failed));
    if (blockTimeMs !== null) this.#ends.push(repeat(blockTimeMs, () => this.mine(), this.#failed));
  }

  async #saveIfNeeded(): Promise<void> {
    const isNeeded = this.#files.length > JOURNAL_ENTRIES_MAX || (await this.#sends.hasUntoldBlocks());
    if (isNeeded) await this.#turns.run(() => this.#sends.save());
  }

  async #end(): Promise<void> {
    this.#stopping = true;
    this.#heartbeat.end();
    for (const end of this.#ends) end();
    await this.#anvil.stop();
    this.#release();
  }

  readonly #failed = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    if (!this.#stopping) this.#options.log.warn({ error: why }, 'the local chain does not answer');
  };
}
