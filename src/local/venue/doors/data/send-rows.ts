import type { Response } from 'express';
import type { VenueFaults } from '../../faults/faults.js';

type Json = Record<string, unknown>;

/** Fields that a torn row has lost. */
const LOST_FIELDS = ['asset', 'token_id', 'price', 'timestamp'];

/** Sends rows in `inside` (the bare list, or an envelope), as the faults in force distort them. */
export function sendRows(
  response: Response,
  rows: readonly Json[],
  faults: VenueFaults,
  inside: (rows: readonly Json[]) => unknown = (list) => list,
): void {
  const body = inside(distortedRows(rows, faults));
  if (!faults.tornPages) {
    response.json(body);
    return;
  }
  // A connection that breaks in the middle of an answer: the announced length is never reached.
  const text = JSON.stringify(body);
  response.set({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
  });
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy());
}

function distortedRows(rows: readonly Json[], faults: VenueFaults): readonly Json[] {
  let shown = rows;
  if (faults.tornRows) shown = shown.map((row, at) => (at % 3 === 1 ? torn(row) : row));
  if (faults.duplicateRows) shown = shown.flatMap((row) => [row, row]);
  // Odd places first, each half backwards: no neighbor stays a neighbor, and the same request
  // gives the same order.
  if (faults.shuffledRows) shown = [...everySecond(shown, 1), ...everySecond(shown, 0)];
  return shown;
}

function everySecond(rows: readonly Json[], from: number): Json[] {
  return rows.filter((_, at) => at % 2 === from).reverse();
}

function torn(row: Json): Json {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !LOST_FIELDS.includes(key)));
}
