import type { Clock } from '#system/clock';
import type { VenueFaults } from '../../faults/faults.js';
import type { Tape } from '../../market/tape.js';
import type { VenueState } from '../../market/venue-state.js';

/** What the Data API answers from. */
export interface DataOptions {
  readonly tape: Tape;
  readonly state: VenueState;
  readonly faults: VenueFaults;
  readonly clock: Clock;
  /** Called before every answer: makes the past, and lets happen what is due. */
  readonly ready: () => void;
}
