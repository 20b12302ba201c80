import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { toTable } from '#test/payments/matrix/table';
import { warmPaths } from '#tools/bench/http';
import { type Load, load } from '#tools/bench/http-load';
import type { ServiceFacts, VenueFacts } from '#tools/bench/http-server';
import { startServer } from '#tools/bench/http-server-child';
import { type Child, startChild } from '#tools/bench/support/children';
import { withDataDir } from '#tools/bench/support/data-dir';
import { medianRatio } from '#tools/bench/support/rounds';
import type { CrowdAnswers, CrowdOptions, CrowdSeen } from './support/stream-crowd.js';

const STREAMS = 500;
const ADDRESSES = 100;
const DEAF = 50;
const OPEN_MAX = 200;
const PER_ADDRESS_MAX = 4;
const ROUNDS = 3;
const CONNECTIONS = 64;
const REQUESTS = 8_000;
/** How long the service is watched without load, with streams and without, each in turn. */
const WATCH_MS = 5_000;
/** What it takes to answer 500 requests for streams is over by then. */
const SETTLE_MS = 1_500;
/** Of a processor: what the lane, which is bound by one, can lose to streams. */
const LOSS_MAX = 0.05;
/** Of the verdicts in a second: what is aimed at; other work on the machine makes it no limit. */
const RATIO_GOAL = 0.95;
/**
 * What one stream may hold: the buffers of its connection and of its request, and an event that is
 * on its way.
 */
const HELD_BYTES_MAX = 64_000;

describe('500 streams asked for by 100 addresses beside the verdict lane', () => {
  it('keep their limits, cost verdicts at most 5 %, and end when the service stops', async () => {
    await withDataDir(async (dataDir) => {
      const venue = await startServer<VenueFacts>({ role: 'venue' });
      const shown = venue.ready.markets.slice(0, 5);
      const service = await startServer<ServiceFacts>({
        role: 'service',
        dataDir,
        venue: venue.ready,
        timesVenue: false,
        trustedProxies: '127.0.0.1',
        demoMarkets: shown.map(({ slug }) => slug).join(','),
      });
      const { url } = service.ready;
      const token = service.ready.token!;
      const paths = await warmPaths(url, venue.ready, token);
      const streamed = shown.flatMap(({ tokenIds }) => tokenIds.map((id) => `/demo/books/${id}/events`));
      const run = () => load(service, { paths, token, connections: CONNECTIONS, requests: REQUESTS }, () => undefined);
      await run();

      const crowdOf = { url, paths: streamed, streams: STREAMS, addresses: ADDRESSES, deaf: DEAF };
      const alone: Load[] = [];
      const beside: Load[] = [];
      const received: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const one = async () => alone.push(await run());
        const other = async () => beside.push(await besideCrowd(crowdOf, run, received));
        // Each is first as often as the other: what the machine does meanwhile hits both alike.
        for (const part of round % 2 === 0 ? [one, other] : [other, one]) await part();
        // Places are given back, and the minute of new streams goes on: 5 of 60 for each address
        // and round.
      }
      print(alone, beside, received);
      const lost = await watchCrowds(service, crowdOf);
      console.log(`        ${OPEN_MAX} streams take ${(100 * lost).toFixed(1)} % of a processor`);
      expect(lost).to.be.at.most(LOSS_MAX);
      const crowd = await startCrowd(crowdOf);
      const startedMs = performance.now();
      await service.stop();
      await untilNone(crowd);
      console.log(
        `        the service and its streams had ended after ${Math.round(performance.now() - startedMs)} ms`,
      );
      await crowd.stop();
      await venue.stop();
    });
  });
});

function startCrowd(options: CrowdOptions): Promise<Child<CrowdAnswers>> {
  return startChild<CrowdAnswers>(new URL('./support/stream-crowd.js', import.meta.url), options);
}

/**
 * Returns the share of a processor that the streams take, and looks at what they hold. Of all
 * rounds the least counts: whatever else the machine does makes the same work dearer, and never
 * cheaper.
 */
async function watchCrowds(service: Child<ServiceFacts>, options: CrowdOptions): Promise<number> {
  const [quiet, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await cpuShare(service));
    const before = await heldBytes(service);
    const crowd = await startCrowd(options);
    await sleep(SETTLE_MS);
    busy.push(await cpuShare(service));
    const held = (await heldBytes(service)) - before;
    expect(held, 'bytes that are held for all streams').to.be.below(OPEN_MAX * HELD_BYTES_MAX);
    await crowd.stop();
    await sleep(200);
  }
  return Math.min(...busy) - Math.min(...quiet);
}

async function heldBytes(service: Child<ServiceFacts>): Promise<number> {
  return (await service.ask('heldBytes')) as number;
}

/**
 * Opens the streams, says what they were answered, and runs the load while they are told of books.
 */
async function besideCrowd(options: CrowdOptions, run: () => Promise<Load>, received: number[]): Promise<Load> {
  const crowd = await startCrowd(options);
  try {
    const { statuses, wrong, mostOfOne } = crowd.ready;
    expect(Object.keys(statuses)).to.deep.equal(['200', '429']);
    // Some of the first ended for those who came later and had fewer.
    expect(statuses[200]).to.be.at.least(OPEN_MAX);
    expect(wrong).to.deep.equal([]);
    expect(mostOfOne).to.be.at.most(PER_ADDRESS_MAX);
    const before = await seen(crowd);
    const startedMs = performance.now();
    const result = await run();
    const after = await seen(crowd);
    received.push((after.events - before.events) / ((performance.now() - startedMs) / 1e3));
    expect(after.open, 'nobody is cut').to.equal(OPEN_MAX);
    expect(after.events).to.be.above(before.events);
    return result;
  } finally {
    await crowd.stop();
    // So that the next ones find all places free.
    await sleep(200);
  }
}

async function seen(crowd: Child<CrowdAnswers>): Promise<CrowdSeen> {
  return (await crowd.ask('seen')) as CrowdSeen;
}

async function untilNone(crowd: Child<CrowdAnswers>): Promise<void> {
  for (;;) {
    const { open } = await seen(crowd);
    // Those who never read do not hear of the end either.
    if (open <= DEAF) return;
    await sleep(10);
  }
}

/** Of a processor, by the service without load. */
async function cpuShare(service: Child<ServiceFacts>): Promise<number> {
  const cpu = async () => (await service.ask('cpu')) as number;
  const [before, startedMs] = [await cpu(), performance.now()];
  await sleep(WATCH_MS);
  return ((await cpu()) - before) / ((performance.now() - startedMs) * 1e3);
}

function print(alone: readonly Load[], beside: readonly Load[], received: readonly number[]): void {
  const figures = (one: Load) => [one.perSecond, one.p99Ms, one.cpuMicros].map((figure) => figure.toFixed(1));
  const columns = ['answers/s', 'p99 ms', 'CPU µs'];
  const rows = alone.map((one, n) => [String(n + 1), ...figures(one), ...figures(beside[n]!), received[n]!.toFixed(0)]);
  console.log(toTable([['round', ...columns, ...columns.map((name) => `beside ${name}`), 'events/s'], ...rows]));
  const ratio = medianRatio(beside, alone, ({ perSecond }) => perSecond);
  console.log(
    `        beside the streams ${(100 * ratio).toFixed(1)} % of the verdicts; the goal is ${100 * RATIO_GOAL} %`,
  );
}
