import { load } from './http-load.js';
import type { ServiceFacts, VenueFacts } from './http-server.js';
import { startToReady } from './start-to-ready.js';
import type { Child } from './support/children.js';
import { atMost, type Goal, show, table } from './support/report.js';
import { median } from './support/rounds.js';

/** Starts of the service, one after the other. */
const STARTS = 5;
/** Requests before the cold ones, so that code is warm and only the tokens are cold. */
const WARM_UP = { connections: 16, requests: 3_000 } as const;

/**
 * Measures what comes first: from the start of the deployed service on a full data directory until
 * it is ready, and the first request for a token that nobody asked for before, without the time
 * that the venue takes to answer.
 */
export async function coldStart(
  start: () => Promise<Child<ServiceFacts>>,
  dataDir: string,
  venue: VenueFacts,
  hotPaths: readonly string[],
  token: string,
): Promise<{ readonly texts: readonly string[]; readonly goals: readonly Goal[] }> {
  const readyAfterMs: number[] = [];
  for (let i = 0; i < STARTS; i += 1) readyAfterMs.push(await startToReady(dataDir, venue));
  const service = await start();
  try {
    await load(service, { ...WARM_UP, paths: hotPaths, token }, () => undefined);
    const isHot = (tokenId: string) => hotPaths.some((path) => path.includes(tokenId));
    const tokenIds = venue.markets.flatMap((market) => market.tokenIds).filter((tokenId) => !isHot(tokenId));
    const requested = [];
    for (const tokenId of tokenIds) requested.push(await askFirst(service, tokenId, token));
    return reportOf(median(readyAfterMs), requested);
  } finally {
    await service.stop();
  }
}

interface FirstAnswer {
  readonly totalMs: number;
  readonly venueMs: number;
}

async function askFirst(service: Child<ServiceFacts>, tokenId: string, token: string): Promise<FirstAnswer> {
  await service.ask('venueMs');
  const startedMs = performance.now();
  const response = await fetch(`${service.ready.url}/api/preflight_trade?token_id=${tokenId}&side=SELL`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = await response.text();
  const totalMs = performance.now() - startedMs;
  if (response.status !== 200) throw new Error(`a cold token got ${response.status}: ${body}`);
  return { totalMs, venueMs: (await service.ask('venueMs')) as number };
}

function reportOf(readyAfterMs: number, requested: readonly FirstAnswer[]) {
  const total = median(requested.map(({ totalMs }) => totalMs));
  const own = median(requested.map(({ totalMs, venueMs }) => totalMs - venueMs));
  const rows = [
    [`process start to ready, data of the runs above, median of ${STARTS}`, show(readyAfterMs)],
    [`first request of a cold token, median of ${requested.length}`, show(total)],
    ['of that our own, without waiting for the venue', show(own)],
  ];
  const goals: Goal[] = [
    { path: 'cold token, venue excluded', goal: atMost(5), measured: own, unit: 'ms' },
    { path: 'start to ready, warm data', goal: atMost(1_000), measured: readyAfterMs, unit: 'ms' },
  ];
  return { texts: [table(['', 'ms'], rows)], goals };
}
