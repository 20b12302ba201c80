import type { OrderVerdict } from '../../answers.js';
import type { ClientSystem } from '../../system.js';
import type { GuardedClient, OrderCall } from '../clients/order-call.js';
import type { GuardOptions } from '../options.js';
import type { SignedOrder } from '../signed-order.js';
import type { GuardState } from '../state/guard-state.js';
import type { GuardRecord } from './record.js';

/** What a guard works with. */
export interface GuardContext {
  readonly client: GuardedClient;
  readonly options: GuardOptions;
  readonly state: GuardState;
  readonly system: ClientSystem;
  readonly record: GuardRecord;
  /** Tells the owner what they should look at. */
  warn(text: string): void;
}

/** An order that may go out: decided, claimed and signed, in this order. */
export interface ReadyOrder {
  /** Names it in the log and in the claims. */
  readonly id: string;
  readonly call: OrderCall;
  /** As it is posted. */
  readonly whole: unknown;
  /** What can be read of it; null only of an exit. */
  readonly signed: SignedOrder | null;
  /** An exit claims nothing. */
  readonly isExit: boolean;
  /** What an entry was decided by; null without one, and of an exit. */
  readonly verdict: OrderVerdict | null;
}
