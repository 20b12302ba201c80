import { expect } from 'chai';
import fc from 'fast-check';
import { type EvidenceJwks, parseJwks, verifyAnswer } from '#client/engine';
import { jwks } from '#discovery/jwks';
import { judge, showCheck } from '#page/model/verify/judge';
import { received } from '#page/model/verify/received';
import { CONFIG } from '#test/support/discovery';
import { ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';
import { ratingWithEvidence } from '#test/support/evidenced-ratings';
import { AS_OF_S } from '#test/support/sample-ratings';
import { frameOf, SKILLED_WALLET, skilledWallet } from '#test/support/skilled-wallet';

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
    return { ...judge(verification, received(answer), issuer), checks: verification.checks };
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
    const silent = checks.filter((check) => showCheck(check, 'order', numbers).meaning === '').map(({ name }) => name);
    expect(silent).to.deep.equal([]);
    expect(checks.length).to.be.above(15);
  });
});

describe('what a page says of a saved answer about a wallet', () => {
  const fixture = newEvidenceFixture();
  const keys = parseJwks(jwks({ ...CONFIG, evidenceKeys: fixture.keys }).body)!;
  after(() => fixture.remove());

  const asked = { wallet: SKILLED_WALLET, ...skilledWallet(), frame: frameOf(AS_OF_S) };
  const judged = async (text: string, change: (answer: { verdict: string; z: number }) => void = () => {}) => {
    const answer = JSON.parse(text);
    change(answer);
    const { holds, checks } = await verifyAnswer(answer, { jwks: keys, issuer: ISSUER });
    const told = received(answer);
    return { told, checks, ...judge({ holds, checks }, told, ISSUER) };
  };

  it('is that all of it holds, and whose word the trades are', async () => {
    const { kind, text, told } = await judged((await ratingWithEvidence(asked, fixture))!);
    expect(kind).to.equal('holds');
    expect(text).to.match(/made these trades is what the service says.*--against-venue/);
    expect(told).to.deep.equal({
      kind: 'wallet',
      wallet: SKILLED_WALLET,
      verdict: 'COPY, strong',
      dataThrough: new Date(AS_OF_S * 1e3).toISOString().replace('.000Z', 'Z'),
      issuer: ISSUER,
    });
  });

  it('names what was changed', async () => {
    const { kind, text } = await judged((await ratingWithEvidence(asked, fixture))!, (answer) => {
      answer.verdict = 'WATCH';
      answer.z += 1;
    });
    expect(kind).to.equal('fails');
    expect(text).to.match(/Verdict, Certainty\./);
  });

  it('says what each check means', async () => {
    const { checks } = await judged((await ratingWithEvidence(asked, fixture))!);
    const silent = checks.filter((check) => showCheck(check, 'wallet').meaning === '').map(({ name }) => name);
    expect(silent).to.deep.equal([]);
    expect(checks.map(({ name }) => name)).to.include.members(['basis_hash', 'entries', 'farming', 'response_hash']);
  });

  it('does not call computed again what was only signed', async () => {
    const [fill] = asked.fills;
    const fills = Array.from({ length: 2_001 }, (_, n) => ({ ...fill!, token: `${n}`, logIndex: n, tx: `0x${n}` }));
    const { kind, text } = await judged((await ratingWithEvidence({ ...asked, fills }, fixture))!);
    expect(kind).to.equal('signed');
    expect(text).to.match(/nothing could be computed again/);
  });
});
