import type { SettleResponse, VerifyResponse } from '@x402/core/types';
import type { Response } from 'express';
import { systemRandom } from '#adapters/process/system-random';
import { FAULTS, type FaultPlan, type Subject } from './facilitator-faults.js';

const REASON_USUAL = 'insufficient_funds';
const HTML = '<html><body>Bad gateway</body></html>';

/** What the caller would get if all went well: nothing where nothing was done. */
export type HonestAnswer = SettleResponse | VerifyResponse | object | null;

export interface AnswerToSend {
  readonly plan: FaultPlan;
  readonly honest: HonestAnswer;
  readonly subject: Subject;
  readonly network: string;
}

/** Answers the caller as planned. */
export function send(response: Response, telling: AnswerToSend): void {
  const { plan, honest } = telling;
  const { work, answer } = FAULTS[plan.fault];
  switch (answer) {
    case 'honest':
      return void response.json(honest);
    case 'drop':
      return void response.socket?.destroy();
    case 'hang':
      return;
    case 'error':
      if (plan.retryAfterS !== undefined) response.set('retry-after', String(plan.retryAfterS));
      return void response.status(plan.status ?? (work === 'none' ? 500 : 502)).json({ error: 'upstream failed' });
    case 'garbage':
      return void response
        .status(plan.status ?? 200)
        .type('html')
        .send(HTML);
    case 'failed':
      return void response.json(denial(telling));
    case 'succeeded':
      return void response.json(claim(telling));
    case 'pending':
      return void response.status(plan.status ?? 200).json(pendingForm(telling));
  }
}

function denial({ plan, subject, network }: AnswerToSend): object {
  const reason = plan.reason ?? REASON_USUAL;
  if (plan.operation === 'verify') return { isValid: false, invalidReason: reason, payer: subject.payer };
  return { success: false, errorReason: reason, transaction: '', network, payer: subject.payer };
}

function claim({ plan, subject, network }: AnswerToSend): object {
  if (plan.operation === 'verify') return { isValid: true, payer: subject.payer };
  return { success: true, transaction: `0x${randomHex(32)}`, network, payer: subject.payer };
}

/**
 * The reference facilitator's form names the transaction, Circle's a payment id. A refusal is
 * answered as it is.
 */
function pendingForm({ plan, honest }: AnswerToSend): HonestAnswer {
  const isPending = (honest as Partial<SettleResponse> | null)?.errorReason === 'settlement_pending';
  if (!isPending || (plan.withHash ?? true)) return honest;
  return { ...honest, transaction: '', paymentId: randomHex(16) };
}

function randomHex(bytes: number): string {
  return Buffer.from(systemRandom.bytes(bytes)).toString('hex');
}
