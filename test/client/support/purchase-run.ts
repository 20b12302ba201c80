import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import { SHORT_LIVED } from '#test/support/short-lived';

/** The steps of a purchase, in their order: the process dies right after it. */
export const STEPS = ['begun', 'claimed', 'signed', 'journalled', 'sent', 'answered'] as const;
export type Step = (typeof STEPS)[number];

/** What one process is to buy, and where it is to die. */
export interface PurchaseRun {
  /** Where the service says it is, and where it is. */
  readonly baseUrl: string;
  readonly url: string;
  readonly home: string;
  readonly privateKey: Hex;
  readonly order: { readonly slug: string; readonly outcome: string };
  readonly version: 1 | 2;
  readonly deadlineMs: number;
  /** File to which each signature and each answer is noted. */
  readonly log: string;
  readonly dieAt: Step | null;
}

/** What a process said at its end; null if it was killed. */
export type PurchaseEnd = { readonly kind: string; readonly text?: string; readonly message?: string } | null;

const CHILD = fileURLToPath(new URL('./purchase-child.js', import.meta.url));

/**
 * Runs the process. Rejects if it ends in any other way than by an answer, an error of the client,
 * or SIGKILL.
 */
export function runPurchase(run: PurchaseRun): Promise<PurchaseEnd> {
  return new Promise((resolve, reject) => {
    const args = [...SHORT_LIVED, CHILD, JSON.stringify(run)];
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error === null) return resolve(JSON.parse(stdout));
      return error.signal === 'SIGKILL' ? resolve(null) : reject(new Error(`${error.message}\n${stderr}`));
    });
  });
}
