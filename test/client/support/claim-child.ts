import { appendFileSync } from 'node:fs';
import { fileState } from '#client/node/file-state';

/**
 * Claims and "signs" again and again until the budget is used up: `home payer signatures-file cap`.
 * A signature is one line, written after the claim is on disk.
 */
const [home = '', payer = '', signed = '', cap = ''] = process.argv.slice(2);
const { ledger } = fileState(home);
for (let n = 0; ; n++) {
  const count = [2, 10, 2, 2][n % 4]!;
  const purchaseId = `${process.pid}-${n}`;
  const result = await ledger.claim({ payer, budget: 'cents', count, cap: Number(cap), purchaseId });
  if (result.kind === 'claimed') appendFileSync(signed, `${count}\n`);
  else if (count === 2) break;
}
