import { appendFileSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';
import { fileState } from '#client/node/file-state';
import { Preflight, PreflightError } from '#client/node/index';
import type { PurchaseRun } from './purchase-run.js';

/** Makes one purchase, and kills itself at a step of it: the argument is a PurchaseRun in JSON. */
const run = JSON.parse(process.argv[2]!) as PurchaseRun;

/** Longer than a request needs to be on its way, shorter than any settlement. */
const SENT_MS = 60;

const note = (what: string, text: string) => appendFileSync(run.log, `${what} ${text}\n`);

function at(step: PurchaseRun['dieAt']): void {
  if (run.dieAt === step) process.kill(process.pid, 'SIGKILL');
}

const account = privateKeyToAccount(run.privateKey);
const payer = {
  address: account.address,
  async signTypedData(data: Parameters<typeof account.signTypedData>[0]) {
    const signature = await account.signTypedData(data);
    note('signed', String(data.message?.nonce));
    at('signed');
    return signature;
  },
};

const files = fileState(run.home);
const ledger = {
  ...files,
  journal: {
    ...files.journal,
    async begin(...given: Parameters<typeof files.journal.begin>) {
      const purchase = await files.journal.begin(...given);
      at('begun');
      return purchase;
    },
    async save(purchase: Parameters<typeof files.journal.save>[0]) {
      await files.journal.save(purchase);
      if (purchase.lane.kind === 'x402' && purchase.lane.signature !== null) at('journalled');
    },
  },
  ledger: {
    ...files.ledger,
    async claim(...given: Parameters<typeof files.ledger.claim>) {
      const result = await files.ledger.claim(...given);
      at('claimed');
      return result;
    },
  },
};

/** The service is where it says it is; only these tests reach it elsewhere. */
async function reach(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const isPaid = headers.has('PAYMENT-SIGNATURE') || headers.has('X-PAYMENT');
  if (isPaid && run.dieAt === 'sent') setTimeout(() => at('sent'), SENT_MS);
  const answer = await fetch(url.replace(run.baseUrl, run.url), init);
  const text = await answer.text();
  if (isPaid && answer.status === 200) {
    note('answered', Buffer.from(text).toString('base64'));
    at('answered');
  }
  const received = new Headers(answer.headers);
  if (run.version === 1) received.delete('PAYMENT-REQUIRED');
  return new Response(text, { status: answer.status, headers: received });
}

const preflight = new Preflight({ baseUrl: run.baseUrl, account: payer, ledger, fetch: reach });
try {
  const { text, stale } = await preflight.verdict(run.order, { deadlineMs: run.deadlineMs });
  process.stdout.write(JSON.stringify({ kind: 'answered', text, stale }));
} catch (error) {
  if (!(error instanceof PreflightError)) throw error;
  process.stdout.write(JSON.stringify({ kind: error.name, message: error.message }));
}
