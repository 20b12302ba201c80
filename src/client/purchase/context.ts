import type { Fetch } from '../http/http.js';
import type { ClientState, PayerAccount } from '../state/ports.js';
import type { ClientSystem } from '../system.js';
import type { Limits } from '../terms/limits.js';

/** What every part of the client works with. */
export interface ClientContext {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly state: ClientState;
  readonly limits: Limits;
  readonly system: ClientSystem;
  /** Is told before a call is made again, and why. */
  readonly onRetry: (why: string) => void;
}

/** An account that pays, with its address in the one spelling that state is kept under. */
export interface Payer {
  readonly address: string;
  readonly signTypedData: PayerAccount['signTypedData'];
}
