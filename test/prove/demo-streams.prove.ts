import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { warmPaths } from '#test/bench/http';
import { type Load, load } from '#test/bench/http-load';
import type { ServiceFacts, VenueFacts } from '#test/bench/http-server';
import { startServer } from '#test/bench/http-server-child';
import { type Child, startChild } from '#test/bench/support/children';
import { withDataDir } from '#test/bench/support/data-dir';
import { toTable } from '#test/payments/matrix/table';
import type { CrowdAnswers, CrowdOptions, CrowdSeen } from './support/stream-crowd.js';

const STREAMS = 500;
const ADDRESSES = 100;
const DEAF = 50;
const OPEN_MAX = 200;
const PER_ADDRESS_MAX = 4;
const ROUNDS = 2;
const CONNECTIONS = 64;
const REQUESTS = 8_000;
/** How long the service is watched without load, with streams and without. */
const WATCH_MS = 8_000;
/** Of a processor: what the lane, which is bound by one, can lose to streams. */
const LOSS_MAX = 0.05;

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
      const told: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const one = async () => alone.push(await run());
        const other = async () => beside.push(await besideCrowd(crowdOf, run, told));
        // Each is first as often as the other: what the machine does meanwhile hits both alike.
        for (const part of round % 2 === 0 ? [one, other] : [other, one]) await part();
        // Places are given back, and the minute of new streams goes on: 5 of 60 for each address and round.
      }
      print(alone, beside, told);
      const quiet = await cpuShare(service);
      const crowd = await startChild<CrowdAnswers>(new URL('./support/stream-crowd.js', import.meta.url), crowdOf);
      const busy = await cpuShare(service);
      const lost = busy - quiet;
      console.log(`        200 streams take ${(100 * lost).toFixed(1)} % of a processor`);
      expect(lost).to.be.at.most(LOSS_MAX);
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

/** Opens the streams, says what they were answered, and runs the load while they are told of books. */
async function besideCrowd(options: CrowdOptions, run: () => Promise<Load>, told: number[]): Promise<Load> {
  const crowd = await startChild<CrowdAnswers>(new URL('./support/stream-crowd.js', import.meta.url), options);
  try {
    const { statuses, wrong, mostOfOne } = crowd.ready;
    expect(statuses).to.deep.equal({ 200: OPEN_MAX, 429: STREAMS - OPEN_MAX });
    expect(wrong).to.deep.equal([]);
    expect(mostOfOne).to.be.at.most(PER_ADDRESS_MAX);
    const before = await seen(crowd);
    const startedMs = performance.now();
    const result = await run();
    const after = await seen(crowd);
    told.push((after.events - before.events) / ((performance.now() - startedMs) / 1e3));
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

function print(alone: readonly Load[], beside: readonly Load[], told: readonly number[]): void {
  const figures = (one: Load) => [one.perSecond, one.p99Ms, one.cpuMicros].map((figure) => figure.toFixed(1));
  const columns = ['answers/s', 'p99 ms', 'CPU µs'];
  const rows = alone.map((one, n) => [String(n + 1), ...figures(one), ...figures(beside[n]!), told[n]!.toFixed(0)]);
  console.log(toTable([['round', ...columns, ...columns.map((name) => `beside ${name}`), 'events/s'], ...rows]));
}
