import type { AnswerKey, StoredAnswer } from '#ports/store';
import { decodeAnswer, encodeAnswer } from '../../rows/credit-rows.js';
import { putRow, type Rows, readRaw } from '../raw.js';
import { type ByTime, moveByTime } from './by-time.js';
import { ANSWERS, answerKey, EXPIRING_ANSWERS, partsOfAnswerKey } from './keys.js';

/* Kept answers in LMDB: rows, and the index by when they expire. */

export const ANSWERS_BY_EXPIRY: ByTime = {
  prefix: EXPIRING_ANSWERS,
  rows: ANSWERS,
  momentOf(db, name) {
    try {
      return readAnswer(db, partsOfAnswerKey(ANSWERS + name))?.expiresAtMs ?? null;
    } catch {
      return null;
    }
  },
};

/** Returns a stored answer, expired or not, or null. */
export function readAnswer(db: Rows, key: AnswerKey): StoredAnswer | null {
  const rowKey = answerKey(key);
  const raw = readRaw(db, rowKey);
  return raw === undefined ? null : decodeAnswer(rowKey, raw, key);
}

/** Writes an answer and its place in the index. To be called inside a write transaction. */
export function writeAnswer(db: Rows, answer: StoredAnswer): void {
  const rowKey = answerKey(answer);
  const name = rowKey.slice(ANSWERS.length);
  const fromMs = ANSWERS_BY_EXPIRY.momentOf(db, name);
  putRow(db, rowKey, encodeAnswer(answer));
  moveByTime(db, ANSWERS_BY_EXPIRY, { name, fromMs, toMs: answer.expiresAtMs });
}
