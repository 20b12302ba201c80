import { asObject, type JsonObject } from '#domain/json';
import type { Answer } from '../../answers.js';
import { cutTo, padded, plain } from '../plain-text.js';
import { figure, signedPercent } from './figures.js';
import { type Frame, line, paintVerdict } from './frame.js';
import { paidLine } from './paid-line.js';

/** More wallets than any list has. */
const WALLETS_SHOWN_MAX = 200;
const VERDICT_COLUMNS = 9;
const FIGURE_COLUMNS = 9;

/**
 * Draws leaderboard or red list as a table. Names come last: they are their owners' texts, of any
 * length.
 */
export function drawWalletList(answer: Answer<unknown>, frame: Frame): readonly string[] {
  const body = asObject(answer.body) ?? {};
  const wallets = Array.isArray(body.wallets) ? body.wallets.slice(0, WALLETS_SHOWN_MAX).map(asObject) : [];
  const rows = wallets.map((wallet) => rowOf(wallet ?? {}, frame));
  const note = typeof body.note === 'string' ? [line(frame, plain(body.note), 'quiet')] : [];
  const head = `${padded('VERDICT', VERDICT_COLUMNS)}${cells('ROI', 'WON', 'SCORED')}  WALLET`;
  return [
    line(frame, `computed ${plain(body.computed_at)}: ${plain(body.window)}`, 'quiet'),
    ...(rows.length === 0 ? ['no wallets'] : [line(frame, head, 'quiet'), ...rows.flat()]),
    ...note,
    paidLine(answer, frame),
  ];
}

function rowOf(wallet: JsonObject, frame: Frame): readonly string[] {
  const verdict = cutTo(plain(wallet.verdict), VERDICT_COLUMNS - 1);
  const figures = cells(
    signedPercent(wallet.roi_fee_inclusive_pct),
    `${figure(wallet.win_rate_pct, 1, 1)}%`,
    figure(wallet.n_resolved, 0),
  );
  const rest = line({ ...frame, columns: frame.columns - VERDICT_COLUMNS }, `${figures}  ${plain(wallet.wallet)}`);
  const indent = ' '.repeat(VERDICT_COLUMNS + 3 * FIGURE_COLUMNS + 2);
  return [
    `${paintVerdict(frame, verdict, padded(verdict, VERDICT_COLUMNS))}${rest}`,
    line(frame, `${indent}${plain(wallet.name)}`, 'quiet'),
  ];
}

function cells(...texts: readonly string[]): string {
  return texts.map((text) => text.padStart(FIGURE_COLUMNS)).join('');
}
