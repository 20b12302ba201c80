import { Asker, type AskerOptions, NotAsked, NothingToAsk } from './asker.js';
import { type Assumption, nameOf } from './assumptions/assumption.js';
import { ASSUMPTIONS } from './assumptions/assumptions.js';
import { openInterview, type Sockets } from './interview/interview.js';
import type { Sample } from './samples.js';
import type { Seen } from './seen.js';

/**
 * How one assumption stands. `not seen`: the venue answered, and had nothing that could show it;
 * `not asked`: the question was not put, or not answered.
 */
export interface VenueFinding {
  /** "A7". */
  readonly id: string;
  readonly assumption: string;
  readonly asked: string;
  readonly holds: Seen['holds'] | 'not asked';
  readonly seen: string;
}

export interface VenueReport {
  readonly findings: readonly VenueFinding[];
  /** What the venue answered, as it may be shown to others. */
  readonly samples: () => readonly Sample[];
  readonly calls: number;
}

export interface VenueCheckOptions extends AskerOptions, Sockets {
  /** Names of the assumptions to be held, such as "A7"; null: all. */
  readonly only: readonly string[] | null;
  /** Called before each: how many are done, of how many, and what is asked next. */
  readonly progress: (done: number, all: number, next: string, calls: number) => void;
}

/** The timers of the process do not keep it alive, and nothing else does between two calls. */
const ALIVE_MS = 60_000;

/**
 * Holds the assumptions against the venue, one after the other. It reads, and changes nothing
 * there. Never rejects for what a venue does.
 */
export async function checkVenue(options: VenueCheckOptions): Promise<VenueReport> {
  const { only, progress } = options;
  const alive = setInterval(() => undefined, ALIVE_MS);
  const asker = new Asker(options);
  const venue = openInterview(asker, options, options);
  const wanted = ASSUMPTIONS.filter((one) => only === null || only.includes(nameOf(one)));
  const findings: VenueFinding[] = [];
  try {
    for (const assumption of wanted) {
      progress(findings.length, wanted.length, assumption.text, asker.calls);
      const finding = await find(assumption, () => assumption.check(venue));
      findings.push({ ...finding, seen: asker.samples.masked(finding.seen) });
    }
  } finally {
    clearInterval(alive);
  }
  return { findings, samples: () => asker.samples.written(), calls: asker.calls };
}

/** Whether there is an assumption of this name. */
export function isAssumption(name: string): boolean {
  return ASSUMPTIONS.some((one) => nameOf(one) === name);
}

async function find(assumption: Assumption, check: () => Promise<Seen>): Promise<VenueFinding> {
  const about = { id: nameOf(assumption), assumption: assumption.text, asked: assumption.asked };
  try {
    return { ...about, ...(await check()) };
  } catch (error) {
    // What no rule has thought of is not as it is taken to be, and the others are still to be asked.
    if (!(error instanceof NotAsked)) return { ...about, holds: 'no', seen: `cannot be read (${String(error)})` };
    return { ...about, holds: error instanceof NothingToAsk ? 'not seen' : 'not asked', seen: error.message };
  }
}
