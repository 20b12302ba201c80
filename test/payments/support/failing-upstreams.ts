import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusReport } from '#api/status';
import { type FailingLine, type LineFault, startFailingLine } from '#test/support/failing-line';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { Till } from './till.js';

const POLL_INTERVAL_MS = 100;
const LOOKS_MAX = 150;

/** A real service and a real chain, with lines between the service and its upstreams. */
export interface FailingUpstreams {
  readonly service: PaidService;
  readonly till: Till;
  /** Two of each, to the same facilitator and the same chain. */
  readonly facilitators: readonly FailingLine[];
  readonly rpcs: readonly FailingLine[];
  readonly gamma: FailingLine;
  readonly clob: FailingLine;
  /** Makes these lines fail, and no other. */
  fail(fault: LineFault, lines: readonly FailingLine[]): void;
  /** Makes all well. */
  mend(): void;
  /** The same, and resolves when the service says so of them. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it. Where no anvil runs it throws: ask `needAnvil` first. */
export async function startFailingUpstreams(): Promise<FailingUpstreams> {
  const twoTo = (url: string) => Promise.all([startFailingLine(url), startFailingLine(url)]);
  let facilitators: readonly FailingLine[] = [];
  let rpcs: readonly FailingLine[] = [];
  const venueLines: FailingLine[] = [];
  const service = await startPaidService(async ({ facilitatorUrls, baseRpcUrls, venue }) => {
    facilitators = await twoTo(facilitatorUrls[0]!);
    rpcs = await twoTo(baseRpcUrls[0]!);
    for (const url of [venue.gammaUrl, venue.clobUrl]) venueLines.push(await startFailingLine(url));
    return {
      facilitatorUrls: facilitators.map(({ url }) => url),
      baseRpcUrls: rpcs.map(({ url }) => url),
      venue: { ...venue, gammaUrl: venueLines[0]!.url, clobUrl: venueLines[1]!.url },
    };
  });
  const [gamma, clob] = venueLines;
  const all = [...facilitators, ...rpcs, ...venueLines];
  const components = [...facilitators.map(({ url }) => new URL(url).host), 'base-rpc', 'gamma', 'clob-books'];

  function mend(): void {
    for (const line of all) line.fail(null);
  }

  async function areWell(): Promise<boolean> {
    const answer = await fetch(`${service.url}/status.json`);
    const said = ((await answer.json()) as StatusReport).components;
    return components.every((name) => said[name]?.ok === true);
  }

  return {
    service,
    till: new Till(service),
    facilitators,
    rpcs,
    gamma: gamma!,
    clob: clob!,
    fail(fault, lines) {
      for (const line of all) line.fail(lines.includes(line) ? fault : null);
    },
    mend,
    async heal() {
      mend();
      for (let looks = 0; looks < LOOKS_MAX; looks++) {
        if (await areWell()) return;
        await sleep(POLL_INTERVAL_MS);
      }
      throw new Error('an upstream that answers again is not called well');
    },
    async stop() {
      await service.stop();
      for (const line of all) await line.close();
    },
  };
}
