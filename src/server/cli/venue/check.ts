import { type Command, InvalidArgumentError } from 'commander';
import {
  CALLS_MAX,
  holdAgainst,
  isAssumption,
  openVenue,
  type VenueAtHand,
  type VenueFinding,
  type VenueReport,
} from '#compose/venue-check';
import { readVenueUrls } from '#config/venue-urls';
import { printReport } from '../admin/run.js';
import { table } from '../admin/table.js';
import { UsageError } from '../exit.js';
import { untilStopped } from '../tape/progress.js';
import { ATTESTING_ORDER, attestingOrderText } from './attesting-order.js';
import { makeSamplesFolder, writeSamples } from './samples-folder.js';

interface VenueCheckCommandOptions {
  readonly samples?: string;
  readonly only?: readonly string[];
  readonly json?: true;
}

/** Nothing is otherwise than taken for granted, but a part of the venue did not answer. */
const NOT_ANSWERED = 3;
/** A table fits 100 columns; what does not hold is told in full below it. */
const TEXT_WIDTH = 52;
const SEEN_WIDTH = 30;

/** Adds `venue check`. `open` is where the venue comes from. */
export function addCheckCommand(venue: Command, open: () => VenueAtHand = openSettings): void {
  venue
    .command('check')
    .description(
      'hold what the service takes for granted of the venue against it; reads only, at most 2 calls a second',
    )
    .option('--only <numbers>', 'only these assumptions of docs/venue.md, such as A32,A55', readNumbers)
    .option('--samples <dir>', 'save what the venue answered, without what names people, in this folder, new or empty')
    .option('--json', 'print one JSON object')
    .action((options: VenueCheckCommandOptions) => check(open, options));
}

async function check(open: () => VenueAtHand, options: VenueCheckCommandOptions): Promise<void> {
  const venue = open();
  if (options.samples !== undefined) makeSamplesFolder(options.samples);
  const report = await untilStopped(venue.clock, (shown, signal) =>
    holdAgainst(venue, {
      only: options.only ?? null,
      signal,
      progress: (done, all, next, calls) => shown.update('asking', done, all, `${calls}/${CALLS_MAX} calls, ${next}`),
    }),
  );
  const json = reportJson(report);
  if (options.samples !== undefined) writeSamples(options.samples, report.samples(), json);
  const isDone = report.findings.every(({ holds }) => holds !== 'no');
  printReport(options, { json: { ...json, samples: options.samples ?? null }, text: reportText(report), isDone });
  if (isDone && report.findings.some(({ holds }) => holds === 'not asked')) process.exitCode = NOT_ANSWERED;
}

/** Those of the environment; what it does not name is Polymarket's. */
function openSettings(): VenueAtHand {
  try {
    return openVenue(readVenueUrls(process.env));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readNumbers(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toUpperCase());
  const unknown = names.find((name) => !isAssumption(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`Give numbers of assumptions as A1,A2; there is no ${unknown}.`);
}

type Standing = VenueFinding['holds'];

function countOf({ findings }: VenueReport, holds: Standing): number {
  return findings.filter((one) => one.holds === holds).length;
}

function reportJson(report: VenueReport): Readonly<Record<string, unknown>> {
  return {
    held: countOf(report, 'yes'),
    differing: countOf(report, 'no'),
    not_seen: countOf(report, 'not seen'),
    not_asked: countOf(report, 'not asked'),
    calls: report.calls,
    assumptions: report.findings,
    attesting_order: ATTESTING_ORDER,
  };
}

function reportText(report: VenueReport): string {
  const { findings, calls } = report;
  const rows = findings.map(({ id, assumption, holds, seen }) => [
    id.padEnd(3),
    cut(assumption, TEXT_WIDTH),
    holds === 'no' ? 'NO' : holds,
    cut(seen, SEEN_WIDTH),
  ]);
  const strange = findings.filter(({ holds }) => holds === 'no');
  return [
    table(['', 'ASSUMPTION', 'HOLDS', 'SEEN'], rows),
    ...strange.map(
      ({ id, assumption, asked, seen }) => `\n${id} does not hold: ${assumption}\n  asked ${asked}\n  seen  ${seen}`,
    ),
    `\n${attestingOrderText()}`,
    `\n${summary(report)}, in ${calls} calls`,
    ...(strange.length === 0 ? [] : ['docs/venue.md explains each one; --samples DIR saves the answers.']),
  ].join('\n');
}

function summary(report: VenueReport): string {
  const parts = [`${countOf(report, 'yes')} hold`, `${countOf(report, 'no')} do not`];
  const [notSeen, notAsked] = [countOf(report, 'not seen'), countOf(report, 'not asked')];
  if (notSeen > 0) parts.push(`${notSeen} not seen`);
  if (notAsked > 0) parts.push(`${notAsked} not asked`);
  return parts.join(', ');
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
