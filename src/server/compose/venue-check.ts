import { attemptJson } from '#adapters/http-client/attempt';
import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import { connectRtds } from '#adapters/polymarket/rtds';
import { systemClock } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import { checkVenue, type VenueCheckOptions, type VenueReport } from '#adapters/venue-check/check-venue';
import type { VenueUrls } from '#config/venue-urls';

export {
  isAssumption,
  type VenueFinding,
  type VenueReport,
} from '#adapters/venue-check/check-venue';
export { CALLS_MAX } from '#adapters/venue-check/limits';

/** The outside of a check, which tests put themselves in the place of. */
export type VenueAtHand = Pick<VenueCheckOptions, 'urls' | 'clock' | 'timers' | 'attempt' | 'channel' | 'liveFeed'>;

/** What one run wants. */
export type VenueCheckRun = Pick<VenueCheckOptions, 'only' | 'progress' | 'signal'>;

/** Returns the way to the venue of the settings. Nothing is asked yet. */
export function openVenue({ gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl }: VenueUrls): VenueAtHand {
  return {
    urls: { gamma: gammaUrl, clob: clobUrl, data: dataUrl },
    clock: systemClock,
    timers: systemTimers,
    attempt: attemptJson,
    channel: connectMarketChannel(wsUrl),
    liveFeed: connectRtds(rtdsUrl),
  };
}

/** Holds what the service takes for granted of the venue against it. */
export function holdAgainst(venue: VenueAtHand, run: VenueCheckRun): Promise<VenueReport> {
  return checkVenue({ ...venue, ...run });
}
