/**
 * Loaded into a recorded process before anything else: its calendar clock stands still, so that
 * ages, dates and expiries are equal.
 */
export const FROZEN_MS = Date.parse('2026-07-14T12:00:00Z');

const RealDate = Date;

if (process.env.GOLDEN_CLOCK === 'frozen') {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [FROZEN_MS] : args, newTarget),
    apply: () => new RealDate(FROZEN_MS).toString(),
    get: (target, key, receiver) => (key === 'now' ? () => FROZEN_MS : Reflect.get(target, key, receiver)),
  });
}
