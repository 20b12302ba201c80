import { dayAfter } from '#domain/scoreboard/score-day';
import { isoDay } from '#domain/time';
import type { FollowStore } from '#ports/follow-store';
import type { JobHold } from '#ports/job-leases';
import type { Log } from '#ports/log';
import { SCORE_DAYS_KEPT, type ScoreStore } from '#ports/score-store';
import type { Timers } from '#system/timers';
import { interval } from '../interval.js';
import type { HeldJob, JobOwner } from '../jobs/job-owner.js';
import { DayTallies } from './day-tallies.js';
import { FollowView } from './follow-view.js';
import { LATE_MAX_MS, PASS_MS, Sampler, type SamplerDeps } from './sampler.js';
import { ScoreView } from './score-view.js';

/** How often counts are written: what a process that dies loses at most. */
export const WRITE_MS = 60_000;
/** Whoever does not count looks this often for whether nobody does, and for what was counted. */
const LOOK_MS = 60_000;
/** Followed boards change once a night; so long a process may show them as they were. */
export const FOLLOW_LOOK_MS = 600_000;
/** Books that are judged or priced before other work has its turn. */
const STEPS_PER_TURN = 4;
/** How long nothing is done once the process was late. */
const LATE_PAUSE_MS = 1_000;

export interface ScoreboardDeps extends Omit<SamplerDeps, 'days'> {
  readonly scores: ScoreStore;
  readonly follows: Pick<FollowStore, 'list'>;
  readonly jobs: Pick<JobOwner, 'doAlone'>;
  readonly timers: Timers;
  readonly log: Log;
  /** false: nothing is counted here; what others count is shown. */
  readonly isOn: boolean;
  readonly passMs?: number;
  readonly writeMs?: number;
}

/** The scoreboard of this process: it counts if no other one does, and shows what is counted. */
export class Scoreboard {
  readonly view: ScoreView;
  readonly #deps: ScoreboardDeps;
  readonly #follow: FollowView;
  readonly #over = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(deps: ScoreboardDeps) {
    this.#deps = deps;
    this.#follow = new FollowView(deps);
    this.view = new ScoreView({ ...deps, follow: this.#follow });
  }

  start(): void {
    const { timers, log } = this.#deps;
    const onError = (err: unknown) =>
      log.warn({ err }, 'the scoreboard could not be read or written; it is tried again');
    const options = { timers, signal: this.#over.signal, onError };
    const again = async (everyMs: number, work: () => Promise<void>) => {
      await work().catch(onError);
      await interval(everyMs, work, options);
    };
    this.#working = Promise.all([
      again(LOOK_MS, () => this.#round()),
      again(FOLLOW_LOOK_MS, () => this.#follow.refresh()),
    ]).then(() => undefined);
  }

  /** Resolves when what was counted is written. */
  async stop(): Promise<void> {
    this.#over.abort();
    await this.#working;
  }

  /** Counts for as long as the job is ours; else shows what another one has counted. */
  async #round(): Promise<void> {
    if (this.#over.signal.aborted) return;
    await this.view.refresh();
    if (this.#deps.isOn) await this.#deps.jobs.doAlone('scoreboard', (held) => this.#count(held));
  }

  async #count({ hold, signal }: HeldJob): Promise<void> {
    const { clock, timers, passMs = PASS_MS, writeMs = WRITE_MS } = this.#deps;
    const days = new DayTallies();
    const sampler = new Sampler({ ...this.#deps, days });
    const ended = AbortSignal.any([signal, this.#over.signal]);
    let passAtMs = clock.elapsedMs();
    let writeAtMs = passAtMs + writeMs;
    while (!ended.aborted) {
      const dueMs = Math.min(sampler.nextDueMs ?? passAtMs, passAtMs, writeAtMs);
      const isLate = await this.#sleepUntil(dueMs, ended);
      if (ended.aborted) break;
      const isPassDue = clock.elapsedMs() >= passAtMs;
      if (isPassDue) passAtMs = clock.elapsedMs() + passMs;
      if (isLate) {
        if (isPassDue) sampler.skip();
        await timers.sleep(LATE_PAUSE_MS, ended);
        continue;
      }
      if (isPassDue) sampler.begin();
      await this.#work(sampler);
      if (clock.elapsedMs() < writeAtMs) continue;
      await this.#write(days, hold);
      writeAtMs = clock.elapsedMs() + writeMs;
    }
    if (!signal.aborted) await this.#write(days, hold);
  }

  /** Returns whether the process was late: other work has waited as long. */
  async #sleepUntil(dueMs: number, signal: AbortSignal): Promise<boolean> {
    const { clock, timers } = this.#deps;
    const waitMs = dueMs - clock.elapsedMs();
    if (waitMs <= 0) return false;
    await timers.sleep(waitMs, signal);
    return clock.elapsedMs() - dueMs > LATE_MAX_MS;
  }

  /** Does what there is to do, a few books in a turn; where other work has waited, no more of it. */
  async #work(sampler: Sampler): Promise<void> {
    const { clock, timers } = this.#deps;
    for (let steps = 1; sampler.step(); steps++) {
      if (steps % STEPS_PER_TURN !== 0) continue;
      const beforeMs = clock.elapsedMs();
      await timers.sleep(0);
      if (clock.elapsedMs() - beforeMs > LATE_MAX_MS) return sampler.skip();
    }
  }

  async #write(days: DayTallies, hold: JobHold): Promise<void> {
    const { scores, clock } = this.#deps;
    // What a day has in the store is counted on, whenever and however the process came to the day.
    for (const day of days.unopened()) days.open(day, await scores.day(day));
    const changed = days.takeChanged();
    for (const day of changed) await scores.put(day, hold);
    const today = isoDay(clock.nowMs() / 1e3);
    if (days.forgetBefore(dayAfter(today, -1))) await scores.trim(dayAfter(today, -SCORE_DAYS_KEPT));
    await this.view.refreshDay(today);
    this.view.show(changed);
  }
}
