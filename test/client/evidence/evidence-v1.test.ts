import { expect } from 'chai';
import type { OrderVerdict } from '#api/order-verdict';
import { parseJwks, verifyAnswer } from '#client/engine';
import { readFixtureJson } from '#test/support/fixtures';

/** Answers that a service signed while it judged by the first rules. */
interface Earlier {
  readonly issuer: string;
  readonly jwks: object;
  readonly answers: Readonly<Record<string, OrderVerdict>>;
}

describe('evidence of the first rules', () => {
  const { issuer, jwks, answers } = readFixtureJson('evidence_v1.json') as Earlier;
  const keys = parseJwks(JSON.stringify(jwks))!;

  for (const [what, answer] of Object.entries(answers)) {
    it(`is still computed by them: ${what.replaceAll('_', ' ')}`, async () => {
      const { holds, checks } = await verifyAnswer(answer, { jwks: keys, issuer });
      expect(checks.filter((check) => check.holds === false)).to.deep.equal([]);
      expect(holds).to.equal(true);
    });
  }

  it('has what the rules in force would say otherwise', () => {
    const { fee_rounded_half_up, below_minimum_shares, crossed } = answers;
    expect(fee_rounded_half_up!.numbers.taker_fee_usd).to.equal(2.4547);
    expect(below_minimum_shares!.reason_codes).to.deep.equal(['BELOW_MINIMUM_SHARES']);
    expect(crossed!.reasons[0]).to.match(/ still crossed when re-checked$/);
  });

  it('is not that of the second rules with another number: each has its own form', async () => {
    const answer = structuredClone(answers.below_minimum_shares!);
    answer.evidence!.payload.v = 2;
    const { holds, checks } = await verifyAnswer(answer, { jwks: keys, issuer });
    expect(holds).to.equal(false);
    expect(checks.map(({ name }) => name)).to.deep.equal(['form']);
  });
});
