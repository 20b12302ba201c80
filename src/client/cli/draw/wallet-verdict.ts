import { asObject, type JsonObject } from '#domain/json';
import type { Answer, CopyAnswer } from '../../answers.js';
import { whyNotToActUpon } from '../exit-codes.js';
import { cutTo, plain, widthOf } from '../plain-text.js';
import { figure, moment, seconds, signedPercent } from './figures.js';
import { type Frame, line, paintVerdict } from './frame.js';
import { paidLine } from './paid-line.js';
import { reasonLines } from './reason-lines.js';

const REASON_LINES_MAX = 10;
const VERDICT_COLUMNS_MAX = 16;

/** Draws what is known of a wallet: its rating, or that there is none yet. */
export function drawWalletVerdict(answer: Answer<CopyAnswer>, frame: Frame): readonly string[] {
  const body = asObject(answer.body) ?? {};
  const caveat = whyNotToActUpon(body, answer.stale);
  const verdict = cutTo(plain(body.verdict), VERDICT_COLUMNS_MAX);
  const title = `${verdict}${caveat === null ? '' : ` (${caveat})`}`;
  const wallet = line({ ...frame, columns: frame.columns - widthOf(title) }, `  ${plain(body.wallet)}`);
  return [
    `${paintVerdict(frame, caveat === null ? verdict : 'CAUTION', title)}${wallet}`,
    ...(body.name === undefined ? [] : [line(frame, plain(body.name), 'strong')]),
    '',
    ...(body.roi_fee_inclusive_pct === undefined ? [] : [...profileLines(body, frame), '']),
    ...reasonLines(body.reasons, caveat, frame, REASON_LINES_MAX),
    ...nextLines(body, frame),
    paidLine(answer, frame),
  ];
}

function profileLines(body: JsonObject, frame: Frame): readonly string[] {
  const interval = asObject(body.roi_ci95_pct);
  const ci = interval === null ? '' : ` (95%: ${signedPercent(interval.low)} to ${signedPercent(interval.high)})`;
  const month = asObject(body.out_of_sample) ?? {};
  return [
    `copier's ROI after fees ${signedPercent(body.roi_fee_inclusive_pct)}${ci}`,
    `last month ${signedPercent(month.roi_fee_inclusive_pct)} over ${figure(month.entries, 0)} entries   ` +
      `won ${figure(body.win_rate_pct, 1)}% of ${figure(body.n_resolved, 0)} scored entries`,
    `both sides bought in ${figure(body.both_sides_pct, 1)}% of markets   active on ${figure(body.active_days, 0)} days`,
  ].map((text) => line(frame, text));
}

function nextLines(body: JsonObject, frame: Frame): readonly string[] {
  if (typeof body.retry_after_seconds === 'number') {
    return [
      line(frame, `ask again in ${seconds(body.retry_after_seconds)}, or with --wait; nothing is charged until then`),
    ];
  }
  if (typeof body.next_refresh_at !== 'string') return [];
  return [line(frame, `valid until ${moment(Date.parse(body.next_refresh_at))}; until then the cached answer is free`)];
}
