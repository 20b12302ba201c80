import type { StatusHistory, StatusSample } from '#api/status-history';
import { momentText } from '../texts.js';

/** The last 24 hours, as a row of cells and as the stretches that were not well. */
export interface Strip {
  readonly cells: readonly CellState[];
  /** How much of the time was seen, and how much of that was degraded, in words. */
  readonly summary: string;
  /** The latest first. */
  readonly stretches: readonly Stretch[];
}

type CellState = 'ok' | 'degraded' | 'unseen';

interface Stretch {
  /** From when until when; one minute alone is a moment. */
  readonly when: string;
  readonly rules: string;
}

const CELLS = 96;
const CELL_S = 900;
const STRETCHES_MAX = 8;
const DATE_LENGTH = '2026-08-01'.length;

/**
 * Returns the strip that ends at `nowS`. A quarter of an hour is degraded if any minute of it was.
 */
export function stripOf({ samples, every_seconds: intervalS }: StatusHistory, nowS: number): Strip {
  const fromS = nowS - CELLS * CELL_S;
  const seen = samples.filter(({ t }) => t > fromS && t <= nowS);
  const cells = Array.from({ length: CELLS }, (): CellState => 'unseen');
  for (const { t, rules } of seen) {
    const at = Math.min(CELLS - 1, Math.floor((t - fromS) / CELL_S));
    if (rules.length > 0) cells[at] = 'degraded';
    else if (cells[at] === 'unseen') cells[at] = 'ok';
  }
  return { cells, summary: summaryOf(seen, intervalS), stretches: stretchesOf(seen, intervalS) };
}

function summaryOf(seen: readonly StatusSample[], intervalS: number): string {
  const minutes = (count: number) => `${Math.round((count * intervalS) / 60)} min`;
  const bad = seen.filter(({ rules }) => rules.length > 0).length;
  if (seen.length === 0) return 'Nothing was seen yet: what was before the last start is not kept.';
  const received = bad === 0 ? 'not degraded' : `degraded for ${minutes(bad)}`;
  return `Of the last 24 hours ${minutes(seen.length)} were seen, and the service was ${received}.`;
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
