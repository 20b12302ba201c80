import type { StatusHistory, StatusSample } from '#api/status-history';
import { DAY_S } from '#domain/time';
import { momentText } from '../texts.js';
import { type Run, runsOf } from './runs.js';

/** The last 24 hours, drawn minute by minute and as the stretches that were not well. */
export interface Strip {
  readonly runs: readonly Run[];
  /** How much of the time was seen, and how much of that was degraded, in words. */
  readonly summary: string;
  /** The latest first. */
  readonly stretches: readonly Stretch[];
}

interface Stretch {
  /** From when until when; one minute alone is a moment. */
  readonly when: string;
  readonly rules: string;
}

export const DAY_MINUTES = DAY_S / 60;
const STRETCHES_MAX = 8;
const DATE_LENGTH = '2026-08-01'.length;

/** Returns the strip that ends at `nowS`. One bad minute is one minute of it. */
export function stripOf(history: StatusHistory, nowS: number): Strip {
  const seen = lastDay(history, nowS);
  const { every_seconds: intervalS } = history;
  return {
    runs: runsOf(seen, ({ rules }) => rules.length > 0, { intervalS, nowS }),
    summary: summaryOf(seen, intervalS),
    stretches: stretchesOf(seen, intervalS),
  };
}

/** A component over the last 24 hours. */
export interface ComponentDay {
  readonly runs: readonly Run[];
  readonly summary: string;
}

/** Returns the last 24 hours of each component, by its name. */
export function componentDays(
  history: StatusHistory,
  names: readonly string[],
  nowS: number,
): Readonly<Record<string, ComponentDay>> {
  const seen = lastDay(history, nowS);
  const { every_seconds: intervalS } = history;
  const days = names.map((name) => {
    const isDown = ({ rules }: StatusSample) => rules.includes(`component_down:${name}`);
    const down = seen.filter(isDown).length;
    const summary = down === 0 ? 'never down' : `down for ${minutesText(down, intervalS)}`;
    return [name, { runs: runsOf(seen, isDown, { intervalS, nowS }), summary }] as const;
  });
  return Object.fromEntries(days);
}

function lastDay({ samples }: StatusHistory, nowS: number): readonly StatusSample[] {
  return samples.filter(({ t }) => t > nowS - DAY_S && t <= nowS);
}

function minutesText(count: number, intervalS: number): string {
  return `${Math.round((count * intervalS) / 60).toLocaleString('en-US')} min`;
}

function summaryOf(seen: readonly StatusSample[], intervalS: number): string {
  const bad = seen.filter(({ rules }) => rules.length > 0).length;
  if (seen.length === 0) return 'Nothing was seen in the last 24 hours.';
  const received = bad === 0 ? 'not degraded' : `degraded for ${minutesText(bad, intervalS)}`;
  return `Of the last 24 hours ${minutesText(seen.length, intervalS)} were seen, and the service was ${received}.`;
}

/** Minutes after each other that were degraded by the same rules, with no gap between them. */
function stretchesOf(seen: readonly StatusSample[], intervalS: number): readonly Stretch[] {
  const found: { fromS: number; untilS: number; rules: string }[] = [];
  for (const { t, rules } of seen) {
    if (rules.length === 0) continue;
    const named = rules.join(', ');
    const last = found.at(-1);
    if (last !== undefined && last.rules === named && t - last.untilS <= intervalS * 2) last.untilS = t;
    else found.push({ fromS: t, untilS: t, rules: named });
  }
  return found
    .slice(-STRETCHES_MAX)
    .reverse()
    .map(({ fromS, untilS, rules }) => ({ when: whenText(fromS * 1e3, untilS * 1e3), rules }));
}

/**
 * "2026-08-01 04:30 UTC", "2026-08-01 04:30 to 05:10 UTC", or both moments whole if they are of two
 * days.
 */
function whenText(fromMs: number, untilMs: number): string {
  const [from, until] = [momentText(fromMs), momentText(untilMs)];
  if (from === until) return from;
  const isOneDay = from.slice(0, DATE_LENGTH) === until.slice(0, DATE_LENGTH);
  return isOneDay ? `${from.replace(' UTC', '')} to ${until.slice(DATE_LENGTH + 1)}` : `${from} to ${until}`;
}
