import { expect } from 'chai';
import { checkStore } from '#services/integrity/check';
import { walletNumber } from '#test/contract/store.contract';
import { postgresFixtures } from '#test/contract/support/postgres-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { postgresServer, query } from '#test/support/postgres';
import { describeCheck } from './check.contract.js';
import { fillSoundStore } from './sound-store.js';

describe('on a shared store', () => {
  const makeFixture = postgresFixtures(postgresServer());

  describeCheck('PostgreSQL', makeFixture);

  describe('whose tables were changed by hand', () => {
    const [W, payment] = [walletNumber(1), samplePayment(5).key];
    const cases: readonly (readonly [string, string, string])[] = [
      [
        'an entry that is gone',
        `DELETE FROM ledger WHERE wallet = '${W}' AND number = 3`,
        `wallet ${W}: entry 2 is in the place`,
      ],
      ['an account that is gone', `DELETE FROM account WHERE wallet = '${W}'`, `wallet ${W}: there is an entry`],
      [
        'a proof that no transfer shows',
        `DELETE FROM transfer WHERE payment = '${payment}'`,
        `payment ${payment}: its transfer is the proof of no payment`,
      ],
      [
        'a sum of what is unproven that no payment explains',
        "UPDATE exposure SET unproven_micros = 7 WHERE who = 'facilitator/f'",
        'exposure of facilitator f: it says 7 unproven micro-USDC, and the payments say 40000',
      ],
      [
        'an owner that the columns say otherwise than the row',
        `UPDATE payment SET owner = 'other' WHERE key = '${samplePayment(2).key}'`,
        `payment ${samplePayment(2).key}: the list of open payments says another owner`,
      ],
      [
        'a row that cannot be understood',
        `UPDATE tokens SET doc = '[2,"x"]' WHERE wallet = '${W}'`,
        `row tokens/${W}: tokens is not a list`,
      ],
    ];
    for (const [name, sql, wanted] of cases) {
      it(`finds ${name}`, async () => {
        const fixture = await makeFixture();
        const store = await fixture.open();
        try {
          await fillSoundStore(store);
          await query(fixture.url, sql);
          const faults = (await checkStore({ store, ratings: null }, () => undefined)).faults;
          const said = faults.map(({ where, what }) => `${where}: ${what}`);
          expect(
            said.some((one) => one.startsWith(wanted)),
            said.join('\n'),
          ).to.equal(true);
        } finally {
          await fixture.remove();
        }
      });
    }
  });
});
