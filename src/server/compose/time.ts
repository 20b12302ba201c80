import { hearDates } from '#adapters/http-client/dates';
import type { Config } from '#config/config';
import type { ChainReader } from '#ports/settlement';
import type { Upstream } from '#ports/venue';
import { interval } from '#services/interval';
import { type BelievedClock, CHAIN_SOURCE } from '#services/time/believed-clock';
import { inOrder, type Running } from './parts.js';
import type { System } from './system.js';

/**
 * How long a start waits for somebody to confirm the time. Then it serves all the same, and nothing
 * lapses or is removed until it is confirmed.
 */
const CONFIRM_MS_MAX = 3_000;
/** A quiet service asks the chain what time it is this often. */
const ASK_INTERVAL_MS = 60_000;

/** Who is asked what time it is. */
interface TimeSources {
  readonly chain: ChainReader;
  readonly gamma: Pick<Upstream, 'probe'>;
  readonly clobMarkets: Pick<Upstream, 'probe'>;
}

interface TimeModule<Opened> {
  /** What was opened, which now tells what time it is whenever it answers. */
  readonly outside: Opened;
  readonly timing: Running;
}

/** Wires the believed time with those who say what time it is: the chain, and the `Date` of upstreams. */
export function composeTime<Opened extends TimeSources>(
  config: Config,
  { time, opened }: { readonly time: BelievedClock; readonly opened: Opened },
  { timers, log }: Pick<System, 'timers' | 'log'>,
): TimeModule<Opened> {
  const outside = { ...opened, chain: withTimeOf(opened.chain, time) };
  let stopHearing = () => {};
  const hearing = {
    start: () => {
      stopHearing = hearDates(datedUrls(config), (host, nowMs) => time.hear(host, nowMs));
    },
    stop: () => stopHearing(),
  };
  const stopping = new AbortController();
  const askAll = () => Promise.all([outside.chain.head(), outside.gamma.probe(), outside.clobMarkets.probe()]);
  const askChain = async () => void (await outside.chain.head());

  async function confirm(): Promise<void> {
    await Promise.race([time.confirmed, askAll(), timers.sleep(CONFIRM_MS_MAX)]);
    const { aheadMs, isConfirmed, sources } = time.report();
    if (!isConfirmed)
      log.warn({ aheadMs, sources }, 'the time is not confirmed: nothing lapses or is removed until it is');
  }
  const asking = {
    start: () => {
      const onError = (err: unknown) => log.debug({ err }, 'the chain was not asked for the time');
      void interval(ASK_INTERVAL_MS, askChain, { timers, signal: stopping.signal, onError });
    },
    stop: () => stopping.abort(),
  };
  return { outside, timing: inOrder([hearing, { start: confirm }, asking]) };
}

/** Whose answers have a date that counts: two of them, or one and this machine, are enough. */
function datedUrls({ venue, facilitatorUrls, baseRpcUrls }: Config): readonly string[] {
  return [venue.gammaUrl, venue.clobUrl, venue.dataUrl, ...facilitatorUrls, ...baseRpcUrls];
}

function withTimeOf<Chain extends ChainReader>(chain: Chain, time: BelievedClock): Chain {
  const head: ChainReader['head'] = async () => {
    const newest = await chain.head();
    if (newest !== null) time.hear(CHAIN_SOURCE, newest.timestampS * 1e3);
    return newest;
  };
  return { ...chain, head };
}
