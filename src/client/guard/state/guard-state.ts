import { join } from 'node:path';
import type { Clock } from '#system/clock';
import { makePrivateFolder } from '../../node/durable.js';
import { stateHome } from '../../node/home.js';
import { type Freeze, readFreeze } from './freeze.js';
import { fileGuardLog, type GuardLog } from './guard-log.js';
import { fileOrderClaims, type OrderClaims } from './order-claims.js';

export type GuardMode = 'guard' | 'shadow';

/** What outlives the process of a guarded client. */
export interface GuardState {
  readonly claims: OrderClaims;
  readonly log: GuardLog;
  freeze(): Freeze | null;
}

/** Whose state it is: a folder of the SDK, and a name in it. */
export interface GuardPlace {
  readonly home?: string | undefined;
  readonly name?: string | undefined;
}

const USUAL_NAME = 'default';
const NAME = /^[a-z0-9-]{1,32}$/;

/** Returns where a freeze of all guards of this user lies. */
export function ordersFolder(home: string = stateHome()): string {
  return join(home, 'orders');
}

function guardFolder({ home, name = USUAL_NAME }: GuardPlace): string {
  if (!NAME.test(name)) throw new TypeError('the name of a guard is 1 to 32 lower-case letters, digits and hyphens');
  return join(ordersFolder(home), name);
}

/** Returns where the log of a guard lies. Throws a TypeError if the name is none. */
export function guardLogFolder(place: GuardPlace): string {
  return join(guardFolder(place), 'log');
}

/** Returns the state of a guard as files, shared by all processes of this user. */
export function fileGuardState(place: GuardPlace, mode: GuardMode, clock: Pick<Clock, 'nowMs'>): GuardState {
  const orders = ordersFolder(place.home);
  const folder = guardFolder(place);
  // What shadow mode would have claimed counts apart.
  const claims = fileOrderClaims(join(folder, mode === 'guard' ? 'claims' : 'shadow-claims'), clock);
  const log = fileGuardLog(guardLogFolder(place));
  /** A folder that others of this machine can reach into is no place for any of it. */
  const privately = <T>(work: () => T) => {
    makePrivateFolder(place.home ?? stateHome());
    return work();
  };
  return {
    claims: {
      claim: (...given) => privately(() => claims.claim(...given)),
      lower: (...given) => privately(() => claims.lower(...given)),
      claimedMicros: () => claims.claimedMicros(),
    },
    log: { append: (line) => privately(() => log.append(line)) },
    freeze: () => readFreeze(orders),
  };
}
