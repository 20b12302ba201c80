import { expect } from 'chai';
import fc from 'fast-check';
import { EvidenceSchema } from '#api/evidence';
import { parseJwks, verifyAnswer } from '#client/engine';
import { payloadFault } from '#client/evidence/payload-form';
import { jwks as jwksFile } from '#discovery/jwks';
import { CONFIG } from '#test/support/discovery';
import { ENGINE, type EvidenceFixture, ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';

const SEED = 7;
const NESTED = 200_000;

// biome-ignore lint/suspicious/noExplicitAny: tests take answers apart.
type Json = any;
type Path = readonly string[];

/** Deeper than any stack. */
const nested = (): Json => JSON.parse(`${'['.repeat(NESTED)}${']'.repeat(NESTED)}`);

describe('evidence that means harm', () => {
  let home: EvidenceFixture;
  let body: Json;
  before(async () => {
    home = newEvidenceFixture();
    const hashed = arbitraryDatedQuestion.filter(({ listed, book }) => listed && book.asks.length > 1);
    body = JSON.parse(await answerWithEvidence(fc.sample(hashed, { seed: SEED, numRuns: 1 })[0]!, home));
  });
  after(() => home.remove());

  const faults = async (answer: Json) => {
    const jwks = parseJwks(jwksFile({ ...CONFIG, evidenceKeys: home.keys }).body)!;
    const { checks } = await verifyAnswer(answer, { jwks, issuer: ISSUER, engine: ENGINE });
    return checks.filter(({ holds }) => holds === false).map(({ name }) => name);
  };
  const withPayload = (path: Path, value: unknown): Json => {
    const copy = structuredClone(body);
    const parent = path.slice(0, -1).reduce((at, key) => at[key], copy.evidence.payload);
    parent[path.at(-1)!] = value;
    return copy;
  };

  const ENDLESS: readonly (readonly [path: Path, value: () => unknown])[] = [
    [['market', 'fee', 'exponent'], () => 1e308],
    [['market', 'fee', 'exponent'], () => 5],
    [['market', 'fee', 'exponent'], () => 4.001],
    [['market', 'fee', 'exponent'], () => '1'],
    [['market', 'game_due_at'], () => 'soon'],
    [['book', 'rechecked'], () => 1],
    [['market', 'fee', 'rate'], () => 1e308],
    [['request', 'veto_slippage_c'], () => 1e308],
    [['request', 'max_slippage_c'], () => 1e308],
    [['request', 'usd'], () => 1e308],
    [['request', 'max_book_age_s'], () => 1e308],
    [['book', 'timestamp_ms'], () => 9e15],
    [['book', 'bids'], () => Array.from({ length: 300_000 }, (_, n) => [String(n + 1), '1'])],
    [['book', 'asks'], () => Array.from({ length: 10_000 }, () => ['0.5', '1'])],
    [['book', 'asks'], () => [['1', '1']]],
    [['result', 'reasons'], nested],
    [['issuer'], nested],
    [['engine', 'version'], nested],
  ];
  for (const [path, value] of ENDLESS) {
    it(`ends at once where payload.${path.join('.')} is outside what the engine is made for`, async () => {
      expect(await faults(withPayload(path, value()))).to.deep.equal(['form']);
    });
  }

  it('ends at once when it is nested too deeply to be written, wherever that is', async () => {
    expect(await faults({ ...body, verdict: nested() })).to.deep.equal(['verdict']);
    expect(await faults({ ...body, evidence: { ...body.evidence, jws: nested() } })).to.deep.equal([
      'signature',
      'issuer',
    ]);
  });

  it('is not computed when its signature is bad', async () => {
    const forged = withPayload(['market', 'question'], 'Another?');
    expect(await faults(forged)).to.deep.equal(['signature', 'issuer']);
    expect(await faults({ ...forged, verdict: 'VETO', numbers: {} })).to.deep.equal(['signature', 'issuer']);
  });

  it('is refused wherever the schema of evidence refuses it', () => {
    const { evidence } = body;
    expect(EvidenceSchema.safeParse(evidence).success).to.equal(true);
    expect(payloadFault(evidence.payload)).to.equal(null);
    const paths = pathsOf(evidence.payload);
    expect(paths.length).to.be.above(60);
    for (const path of paths) {
      for (const value of [undefined, null, 'x', '', -1, 0.5, 1e308, true, [], [[]], {}, { added: 1 }]) {
        const { payload } = withPayload(path, value).evidence;
        if (EvidenceSchema.safeParse({ ...evidence, payload }).success) continue;
        expect(payloadFault(payload), `${path.join('.')} = ${JSON.stringify(value)}`).to.be.a('string');
      }
      const parent = path.slice(0, -1).reduce((at, key) => at[key], structuredClone(evidence.payload));
      if (Array.isArray(parent)) continue;
      const { payload } = withPayload([...path.slice(0, -1), '__added'], 1).evidence;
      expect(payloadFault(payload), `beside ${path.join('.')}`).to.be.a('string');
    }
  });

  it('is taken wherever the service makes it', async () => {
    for (const requested of fc.sample(arbitraryDatedQuestion, { seed: SEED, numRuns: 200 })) {
      const { evidence } = JSON.parse(await answerWithEvidence(requested, home));
      expect(payloadFault(evidence.payload)).to.equal(null);
    }
  });
});

/** The path of every value but the payload itself. */
function pathsOf(value: Json, path: Path = []): readonly Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const below = inner.flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}
