import { paymentOffer } from '#api/operations';
import { serve } from '#compose/credits';
import { inOrder } from '#compose/parts';
import { composePayments, type Money } from '#compose/payments';
import { composeTime } from '#compose/time';
import type { Config } from '#config/config';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { seededRandom, seedFor } from '#local/venue/market/seeded-random';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { Facilitator } from '#ports/settlement';
import type { Store } from '#ports/store';
import { createGate, type Gate } from '#services/gate/gate';
import { createPaymentLane } from '#services/gate/payment-lane';
import { gateTool } from '#services/gate/tool';
import { UnpaidWork } from '#services/gate/unpaid-work';
import { JobOwner } from '#services/jobs/job-owner';
import { RatingJob, type RatingJobDeps } from '#services/ratings/job';
import { RatingSchedule } from '#services/ratings/schedule';
import { BelievedClock } from '#services/time/believed-clock';
import { STORE_KEY } from '#test/support/store-secrets';
import { type Machine, watched } from './machine.js';
import type { Upstreams } from './upstreams.js';

/** How long the tape takes for a night's ratings. */
const RATING_MS = 20_000;

/** What all processes of a machine share. */
export interface Home {
  readonly seed: number;
  readonly config: Config;
  readonly machine: Machine;
  readonly upstreams: Upstreams;
  /** Open for as long as the machine lives. */
  readonly store: Store;
  readonly ratings: RatingsStore;
  /** Told of each board that is begun. */
  readonly onBoard: (asOfS: number) => void;
  /** Told of each error in a log. */
  readonly onError: (message: string, facts: object) => void;
}

/** One process: the payments, credits, sweepers and nightly runs of a service, with a gate for its door. */
export interface Life {
  readonly money: Money;
  readonly gate: Gate<'preflight_trade'>;
  readonly time: BelievedClock;
  readonly isDead: () => boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Nothing happens in it from here on, as after SIGKILL. */
  kill(): void;
}

/** Wires a process as the service does, between a machine whose time is virtual and fakes at its ports. */
export function openLife(home: Home, name: string): Life {
  const { config, machine, upstreams } = home;
  const { timers, end } = machine.newTimers();
  let isKilled = false;
  const isDead = () => isKilled;
  const random = seededRandom(seedFor(home.seed, name));
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    error: (facts, message) => home.onError(message, facts),
  };
  const system = { clock: machine.clock, timers, random, log };
  const time = new BelievedClock(machine.clock);
  const hear = (source: string) => time.hear(source, machine.nowMs);
  const probed = (source: string) => ({
    probe: () =>
      upstreams.askVenue().then(
        () => hear(source),
        () => undefined,
      ),
  });
  const opened = { chain: upstreams.chain(), gamma: probed('gamma'), clobMarkets: probed('clob') };
  const { outside, timing } = composeTime(config, { time, opened }, system);
  // It outlives the process: the others have it open, too.
  const store = { ...watched(home.store, machine, isDead), close: async () => {} };
  const ratings = watched(home.ratings, machine, isDead);
  const jobs = new JobOwner({ leases: ratings.jobs, stopwatch: time, timers, random, log });
  const money = composePayments(
    config,
    {
      outside: { chain: outside.chain, facilitators: [0, 1].map((n) => heard(upstreams.facilitator(n), hear)) },
      operators: serve({ store, othersMax: 1, key: STORE_KEY, clock: time }, random),
      ...{ meter: null, crash: null },
      isLeader: () => jobs.isLeader('sweeper'),
    },
    system,
  );
  const job = new RatingJob({
    ...{ store: ratings, jobs, clock: time, random, log, config: RATING_CONFIG },
    tape: tapeOf(timers, home.onBoard),
    refreshMarkets: async () => {},
    gapsOf: async () => [],
  });
  const isTimeKnown = () => time.isConfirmed;
  const schedule = new RatingSchedule({ store: ratings, job, clock: time, isTimeKnown, random, log, timers });
  const nights = {
    start: () => schedule.start(),
    async stop() {
      await schedule.stop();
      await jobs.end();
    },
  };
  return {
    ...{ money, time, isDead },
    gate: gateOf(home, money, hear),
    ...inOrder([{ stop: end }, timing, money, nights]),
    kill() {
      isKilled = true;
      end();
    },
  };
}

/** The same facilitator, whose every answer has a date. */
function heard(facilitator: Facilitator, hear: (source: string) => void): Facilitator {
  return {
    ...facilitator,
    async verify(...asked) {
      const outcome = await facilitator.verify(...asked);
      if (outcome.kind !== 'unavailable') hear(facilitator.name);
      return outcome;
    },
    async settle(...asked) {
      const outcome = await facilitator.settle(...asked);
      if (outcome.kind === 'settled') hear(facilitator.name);
      return outcome;
    },
  };
}

function gateOf({ config, upstreams, machine }: Home, money: Money, hear: (source: string) => void) {
  const terms = { baseUrl: config.baseUrl, payeeAddress: config.payee, usdcAddress: config.usdc, note: undefined };
  const demandFor = (product: string) => ({
    ...paymentOffer(product as 'preflight_trade', terms),
    asset: config.usdc,
    payTo: config.payee,
  });
  const tool = gateTool<{ readonly order: number }>({
    credits: 1,
    exampleBody: '{}',
    parse: (raw) => ({ kind: 'parsed', args: raw as { readonly order: number } }),
    async run({ order }) {
      await upstreams.askVenue();
      hear('gamma');
      return { verdict: 'OK', order, evaluated_at: new Date(machine.clock.nowMs()).toISOString() };
    },
  });
  return createGate({
    tools: { preflight_trade: tool },
    credits: money.credits,
    payments: createPaymentLane({ ...money, clock: money.clock.lapses, demandFor }),
    unpaid: new UnpaidWork(machine.clock),
    log: { error() {} },
  });
}

/** Stands in for the engine of ratings: it takes its time and finds nobody. */
function tapeOf(timers: { sleep(ms: number): Promise<void> }, onBoard: Home['onBoard']): RatingJobDeps['tape'] {
  return {
    async compact(asOfS) {
      onBoard(asOfS);
      await timers.sleep(RATING_MS);
    },
    async *outcomes() {},
    async *names() {},
    fillsOf: async () => [],
    marketsOf: async () => new Map(),
    status: async () => ({
      ...{ fills: 1, segments: 1, markets: 1, marketsResolved: 1, firstFillS: 1, lastFillS: 1, bytes: 1 },
      compactedThroughDay: null,
    }),
    async *rateAll() {},
  };
}
