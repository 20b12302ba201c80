import { expect } from 'chai';
import fc from 'fast-check';
import { type EvidenceJwks, parseJwks, verifyAnswer } from '#client/engine';
import { jwks } from '#discovery/jwks';
import { judge, showCheck } from '#page/model/verify/judge';
import { reportedOrder } from '#page/model/verify/reported-order';
import { CONFIG } from '#test/support/discovery';
import { ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';

const SEED = 7;

describe('what a page says of a saved answer', () => {
  const fixture = newEvidenceFixture();
  const keys = parseJwks(jwks({ ...CONFIG, evidenceKeys: fixture.keys }).body)!;
  let text: string;

  before(async () => {
    const [requested] = fc.sample(arbitraryDatedQuestion, { seed: SEED, numRuns: 1 });
    text = await answerWithEvidence(requested!, fixture);
  });
  after(() => fixture.remove());

  const judged = async (
    change: (answer: { verdict: string; numbers: { best_price: number } }) => void,
    { of = keys, issuer = ISSUER }: { readonly of?: EvidenceJwks; readonly issuer?: string } = {},
  ) => {
    const answer = JSON.parse(text);
    change(answer);
    const verification = await verifyAnswer(answer, { jwks: of, issuer });
    return { ...judge(verification, reportedOrder(answer), issuer), checks: verification.checks };
  };

  it('is that all of it holds when nobody changed it', async () => {
    expect((await judged(() => {})).kind).to.equal('holds');
  });

  it('names what was changed', async () => {
    const { kind, text: words } = await judged((answer) => {
      answer.numbers.best_price += 0.01;
    });
    expect(kind).to.equal('fails');
    expect(words).to.match(/best_price, Numbers/);
  });

  it('sends those who have an answer of another service there', async () => {
    const { kind, text: words } = await judged(() => {}, { issuer: 'https://other.example' });
    expect(kind).to.equal('other_service');
    expect(words).to.include(ISSUER).and.to.include('https://other.example');
  });

  it('tells an unknown key from an answer that was changed', async () => {
    expect((await judged(() => {}, { of: { keys: [] } })).kind).to.equal('unknown_key');
  });

  it('does not trust a key that has been revoked', async () => {
    const of = { keys: [], revoked_keys: keys.keys };
    expect(await judged(() => {}, { of })).to.deep.include({
      kind: 'unknown_key',
      title: 'Its key is not trusted any more.',
    });
  });

  it('says what each check means', async () => {
    const numbers = Object.fromEntries(Object.keys(JSON.parse(text).numbers).map((name) => [name, 'a number']));
    const { checks } = await judged(() => {});
    const silent = checks.filter((check) => showCheck(check, numbers).meaning === '').map(({ name }) => name);
    expect(silent).to.deep.equal([]);
    expect(checks.length).to.be.above(15);
  });
});
