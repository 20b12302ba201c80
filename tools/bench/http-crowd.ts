import { type Load, load } from './http-load.js';
import type { ServiceFacts, VenueFacts } from './http-server.js';
import { startServer as start } from './http-server-child.js';
import { withDataDir } from './support/data-dir.js';
import { atLeast, type Goal, show, table } from './support/report.js';
import { interleave, medianRatio, medians, progress } from './support/rounds.js';
import { checkVerdict, firstVerdict, pathsOf } from './support/verdict-paths.js';

/**
 * Books that are asked about in turn, and kept fresh meanwhile: more than the caches near a core
 * hold.
 */
const BOOKS = 2_000;
const CONNECTIONS = 64;
const ROUNDS = 6;
const ROUND_S = 1.5;
/**
 * As many as the row of few books has behind it: with 10,000 the first rounds are those of code
 * that is still being compiled.
 */
const WARM_UP = 60_000;

const VERDICT = `verdict, of ${show(BOOKS)} books`;
const EXPRESS = 'Express res.json, constant, as many paths';

/**
 * Measures verdicts on many books, each asked about as often as the others, beside Express with the
 * same bytes and paths.
 */
export function crowdedVerdicts(): Promise<{ readonly texts: readonly string[]; readonly goals: readonly Goal[] }> {
  return withDataDir(async (dataDir) => {
    progress(`http: warming ${BOOKS} books`);
    const venue = await start<VenueFacts>({ role: 'venue', bulkMarkets: BOOKS });
    // What a process is to be is said on its command line, which has an end.
    const urls = { ...venue.ready, markets: [] };
    const service = await start<ServiceFacts>({ role: 'service', dataDir, venue: urls, timesVenue: false });
    const token = service.ready.token!;
    const paths = pathsOf(venue.ready, BOOKS);
    const everyBook = paths.filter((_, n) => n % (paths.length / BOOKS) === 0);
    const body = await firstVerdict(service.ready.url, everyBook, token);
    const express = await start<ServiceFacts>({ role: 'express', body });
    const run = (server: typeof service, requests: number) =>
      load(server, { paths, token, connections: CONNECTIONS, requests }, checkVerdict);
    const variants = [];
    for (const [name, server] of [
      [VERDICT, service],
      [EXPRESS, express],
    ] as const) {
      const { perSecond } = await run(server, WARM_UP);
      variants.push({ name, run: () => run(server, Math.ceil(perSecond * ROUND_S)) });
    }
    const loads = await interleave(`http, ${BOOKS} books`, variants, ROUNDS);
    for (const child of [service, express, venue]) await child.stop();
    return report(loads);
  });
}

function report(loads: ReadonlyMap<string, readonly Load[]>) {
  const ofExpress = (name: string) => medianRatio(loads.get(name)!, loads.get(EXPRESS)!, ({ perSecond }) => perSecond);
  const rows = [...loads].map(([name, all]) => {
    const { perSecond, p50Ms, p99Ms, cpuMicros, mainThreadMicros } = medians(all);
    return [name, ...[perSecond, ofExpress(name), p50Ms, p99Ms, cpuMicros, mainThreadMicros].map(show)];
  });
  const head = ['64 connections', 'requests/s', 'x Express', 'p50 ms', 'p99 ms', 'CPU µs', 'main thread µs'];
  const path = `verdict with durable debit, ${CONNECTIONS} connections, ${show(BOOKS)} books, of Express res.json`;
  const goal: Goal = { path, goal: atLeast(1.4), measured: ofExpress(VERDICT), unit: 'x' };
  return { texts: [table(head, rows)], goals: [goal] };
}
