import type { Address, Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { systemClock } from '#adapters/process/system-clock';
import type { LocalChain } from '#local/chain/local-chain';
import { USDC_ADDRESS, usdcAbi } from '#local/chain/usdc';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { type Authorization, startChain, transferCall } from '#test/local/support/chain-harness';

/** Blocks without transactions: an authorization expires by them. */
const HEARTBEAT_MS = 1_000;
/** Books move, but not as often as for those who look at them: a world stands for minutes. */
const TICK_MS = 1_000;

/** USDC that somebody sent. */
export interface Transfer {
  readonly to: Address;
  readonly micros: bigint;
  readonly transaction: Hex;
}

/** What outlives every service under test: a chain, a venue and a payee of their own. */
export class PaymentWorld {
  readonly payee = privateKeyToAccount(generatePrivateKey()).address;

  private constructor(
    readonly chain: LocalChain,
    readonly venue: LocalVenue,
  ) {}

  static async start(): Promise<PaymentWorld> {
    const chain = await startChain({ heartbeatMs: HEARTBEAT_MS });
    return new PaymentWorld(chain, await startLocalVenue({ clock: systemClock, tickMs: TICK_MS }));
  }

  /** The environment of a service in the profile `live` that knows nothing but this world. */
  serviceEnv(dataDir: string, facilitatorUrls: readonly string[]): Record<string, string> {
    const { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl } = this.venue;
    return {
      PREFLIGHT_PROFILE: 'live',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      BASE_URL: 'https://preflight.example',
      VENUE_GAMMA_URL: gammaUrl,
      VENUE_CLOB_URL: clobUrl,
      VENUE_DATA_URL: dataUrl,
      VENUE_WS_URL: wsUrl,
      VENUE_RTDS_URL: rtdsUrl,
      WALLET_JOBS: 'off',
      PAYEE_ADDRESS: this.payee,
      FACILITATOR_URLS: facilitatorUrls.join(','),
      BASE_RPC_URLS: this.chain.rpcUrl,
      SUPPORT_EMAIL: 'support@preflight.example',
    };
  }

  /** A new wallet with so much USDC. */
  async newPayer(micros: bigint): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    await this.chain.mint(account.address, micros);
    return account;
  }

  /** Returns all that a wallet ever sent, to whomever. */
  async transfersFrom(from: Address): Promise<readonly Transfer[]> {
    const logs = await this.chain.client.getContractEvents({
      address: USDC_ADDRESS,
      abi: usdcAbi,
      eventName: 'Transfer',
      args: { from },
      fromBlock: 0n,
    });
    return logs.map(({ args, transactionHash }) => ({
      to: args.to!,
      micros: args.value!,
      transaction: transactionHash,
    }));
  }

  /** Uses somebody's authorization, as anybody may. */
  async submit(authorization: Authorization): Promise<void> {
    await this.chain.send(this.chain.keys.minter, transferCall(authorization));
  }

  /** What the payee earned. */
  earned(): Promise<bigint> {
    return this.chain.balanceOf(this.payee);
  }

  async stop(): Promise<void> {
    await this.venue.close();
    await this.chain.stop();
  }
}
