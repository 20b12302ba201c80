import { PAYMENT_WINDOW_S } from '#domain/payment/payment';

export const HOUR_MS = 3_600_000;
/** Clocks that are so close to a deadline may be on either side of it. */
export const NEAR_MS = 10_000;
/** docs/reliability.md, "Silent upstreams": all but a payment that was sent to be settled. */
export const ANSWER_MS_MAX = 3_000;
/** The same: then the outcome is not known, and the client repeats. */
export const SETTLEMENT_MS_MAX = 11_000;
/** docs/reliability.md, "Two replicas on one database": after its owner's death. */
export const TAKE_OVER_MS_MAX = 10_000;
/** A payment ends by the chain's time, read so deep that nothing changes it. */
export const END_MS_MAX = (PAYMENT_WINDOW_S + 60) * 1e3;
/** The nightly run begins at 03:00 and is done by 04:30 (docs/interface-wallets.md, "Profile refresh"). */
export const NIGHT_MS = 3 * HOUR_MS;
export const NIGHT_OVER_MS = 4.5 * HOUR_MS;
