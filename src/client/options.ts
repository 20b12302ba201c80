import type { WalletClientLike } from './account/paying-account.js';
import type { Fetch } from './http/http.js';
import type { ClientState, PayerAccount } from './state/ports.js';
import type { ClientSystem } from './system.js';
import type { Limits } from './terms/limits.js';

/** What the SDK is started with. Stable. */
export interface PreflightOptions {
  /** Address of the service. It must be the base address that its own /llms.txt names. */
  readonly baseUrl: string;
  /** Pays per call: a viem account, a viem wallet client, or `await fromEip1193(provider)`. */
  readonly account?: PayerAccount | WalletClientLike;
  /** Spends credits; it goes before the account. */
  readonly token?: string;
  /** Limits that are named here replace the defaults. */
  readonly limits?: Partial<Limits>;
  /** How the tools are called: by REST, or by MCP. */
  readonly door?: 'rest' | 'mcp';
  /** What outlives the process: `fileState()` in Node; without it, memory. */
  readonly ledger?: ClientState;
  readonly fetch?: Fetch;
  /** Is told, in words, before a call is made again, and why. */
  readonly onRetry?: (why: string) => void;
  /** Ends every call. */
  readonly signal?: AbortSignal;
  /** Time and chance, which tests own. */
  readonly system?: ClientSystem;
}
