import canonicalize from 'canonicalize';
import { expect } from 'chai';
import fc from 'fast-check';
import { compactVerify, createLocalJWKSet } from 'jose';
import type { Evidence } from '#api/evidence';
import { bookHash, parseJwks, verifyAnswer } from '#client/engine';
import { jwks as jwksFile } from '#discovery/jwks';
import { OrderBook } from '#domain/book/order-book';
import { needCaptures, readCaptureLines } from '#test/support/captures';
import { CONFIG } from '#test/support/discovery';
import { ENGINE, type EvidenceFixture, ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion, type DatedQuestion } from '#test/support/evidenced-answers';
import { readFixture } from '#test/support/fixtures';
import { EVIDENCE_RUNS } from '#test/support/size';
import { checkHash } from '#wire/polymarket/check-hash';
import { parseClobBook } from '#wire/polymarket/clob';

/** Seeds of a question with each verdict: by chance alone a run may be without a CAUTION. */
const SEED_OF_EACH_VERDICT = [0, 5, 51];
/** A question whose order has an exit, and at this price one that may rest. */
const SEED_WITH_BOTH = 5;
const PRICE_WITH_BOTH = 0.31;

// biome-ignore lint/suspicious/noExplicitAny: tests take answers apart.
type Json = any;

describe('the evidence of a verdict', function () {
  this.timeout(600_000);
  let home: EvidenceFixture;
  const jwks = () => parseJwks(jwksFile({ ...CONFIG, evidenceKeys: home.keys }).body)!;
  const verify = (answer: unknown) => verifyAnswer(answer, { jwks: jwks(), issuer: ISSUER, engine: ENGINE });
  const faults = async (answer: unknown) =>
    (await verify(answer)).checks.filter(({ holds }) => holds === false).map(({ name }) => name);
  const sample = (seed: number): DatedQuestion => fc.sample(arbitraryDatedQuestion, { seed, numRuns: 1 })[0]!;
  const answer = async (seed = 42): Promise<Json> => JSON.parse(await answerWithEvidence(sample(seed), home));

  beforeEach(() => {
    home = newEvidenceFixture();
  });
  afterEach(() => home.remove());

  it('suffices to compute every part of the answer again', async () => {
    const verdicts = new Map<string, number>();
    let hashes = 0;
    const property = fc.asyncProperty(arbitraryDatedQuestion, async (requested) => {
      const body = JSON.parse(await answerWithEvidence(requested, home));
      const { holds, checks } = await verify(body);
      expect(holds, JSON.stringify(checks)).to.equal(true);
      expect(checks).to.have.length(20);
      verdicts.set(body.verdict, (verdicts.get(body.verdict) ?? 0) + 1);
      if (body.evidence.payload.book.venue_hash !== null) hashes++;
    });
    const examples = SEED_OF_EACH_VERDICT.map((seed): [DatedQuestion] => [sample(seed)]);
    await fc.assert(property, { numRuns: EVIDENCE_RUNS, examples });
    expect([...verdicts.keys()]).to.have.members(['OK', 'CAUTION', 'VETO']);
    expect(hashes).to.be.above(EVIDENCE_RUNS / 10);
  });

  it('has the same payload with a plan, which follows from it', async () => {
    let planned = 0;
    const property = fc.asyncProperty(arbitraryDatedQuestion, async (requested) => {
      const bare = JSON.parse(await answerWithEvidence(requested, home));
      const body = JSON.parse(await answerWithEvidence(requested, home, { plan: 1 }));
      expect(body.evidence).to.deep.equal(bare.evidence);
      const { holds, checks } = await verify(body);
      expect(holds, JSON.stringify(checks)).to.equal(true);
      expect(checks.filter(({ name }) => name === 'plan')).to.have.length(1);
      if (body.plan !== null) planned++;
    });
    await fc.assert(property, { numRuns: EVIDENCE_RUNS });
    expect(planned).to.be.above(0);
  });

  it('has the same payload with an exit and a resting order, which follow from it', async () => {
    const named = { exit: 0, limit: 0 };
    const price = fc.integer({ min: 1, max: 9_999 }).map((ticks) => ticks / 1e4);
    const property = fc.asyncProperty(
      arbitraryDatedQuestion,
      price,
      fc.boolean(),
      async (requested, limit_price, is) => {
        const bare = JSON.parse(await answerWithEvidence(requested, home));
        const more = { exit: 1, limit_price, ...(is ? { post_only: 1 as const } : {}) } as const;
        const body = JSON.parse(await answerWithEvidence(requested, home, more));
        expect(body.evidence).to.deep.equal(bare.evidence);
        const { holds, checks } = await verify(body);
        expect(holds, JSON.stringify(checks)).to.equal(true);
        expect(checks.filter(({ name }) => name === 'exit' || name === 'limit')).to.have.length(2);
        if (body.exit !== null) named.exit++;
        if (body.limit.order !== null) named.limit++;
      },
    );
    // Few prices at random are on the step of their book.
    const examples: [DatedQuestion, number, boolean][] = [[sample(SEED_WITH_BOTH), PRICE_WITH_BOTH, false]];
    await fc.assert(property, { numRuns: EVIDENCE_RUNS, examples });
    expect(Math.min(named.exit, named.limit)).to.be.above(0);
  });

  it('does not hold with another exit or another resting order, whatever is changed of it', async () => {
    const more = { exit: 1, limit_price: PRICE_WITH_BOTH } as const;
    const body = JSON.parse(await answerWithEvidence(sample(SEED_WITH_BOTH), home, more));
    expect([body.exit, body.limit.order]).to.not.include(null);
    const changed = (value: unknown) =>
      typeof value === 'string'
        ? `${value}1`
        : typeof value === 'boolean'
          ? !value
          : typeof value === 'number'
            ? value + 1
            : 'x';
    for (const name of ['exit', 'limit']) {
      for (const [field, value] of Object.entries(body[name])) {
        // The other outcome's book is no part of evidence, and the price is what was asked.
        if (field === 'complement') continue;
        const other = { ...body, [name]: { ...body[name], [field]: changed(value) } };
        expect(await faults(other), `${name}.${field}`).to.deep.equal([name]);
      }
    }
  });

  it('holds with whatever is said of the other outcome, whose book it does not have', async () => {
    const body = JSON.parse(await answerWithEvidence(sample(42), home, { plan: 1 }));
    const remedies = [...body.remedies, { change: 'other_outcome' }];
    expect(await faults({ ...body, remedies })).to.deep.equal([]);
  });

  it('does not hold with another plan, whatever is changed of it', async () => {
    const plans = (seed: number) =>
      answerWithEvidence(sample(seed), home, { plan: 1 }).then((text) => JSON.parse(text));
    const all = await Promise.all(Array.from({ length: 60 }, (_, seed) => plans(seed)));
    const [body, none] = [all.find(({ plan }) => plan !== null), all.find(({ plan }) => plan === null)];
    const others = Object.entries(body.plan).map(([name, value]) => ({
      ...body.plan,
      [name]: typeof value === 'string' ? `${value}1` : typeof value === 'boolean' ? !value : null,
    }));
    expect(others.length).to.be.above(15);
    for (const plan of [...others, null, undefined, 1, 'x', {}]) {
      expect(await faults({ ...body, plan }), JSON.stringify(plan)).to.deep.equal(['plan']);
    }
    expect(await faults({ ...body, plan_reason: 'thin_book' })).to.deep.equal(['plan']);
    expect(await faults({ ...none, plan_reason: 'x' })).to.deep.equal(['plan']);
    const changed = all.find(({ remedies }) => remedies.length > 0);
    expect(await faults({ ...changed, remedies: [] })).to.deep.equal(['plan']);
    expect(await faults({ ...changed, remedies: undefined })).to.deep.equal(['plan']);
    const { plan: _, ...without } = body;
    expect(await faults(without)).to.not.deep.equal([]);
  });

  it('holds for an answer that was made before answers carried the codes of their reasons', async () => {
    const { reason_codes: _, ...early } = await answer();
    expect((await verify(early)).holds).to.equal(true);
  });

  it('does not hold when any field of it is changed, or any field of the answer', async () => {
    const body = { ...(await answer()), paid: { credits_used: 1, credits_remaining: 9 } };
    const paths = leavesOf(body).filter(([first]) => first !== 'paid');
    expect(paths.length).to.be.above(80);
    expect((await verify(body)).holds).to.equal(true);
    for (const path of paths) {
      for (const change of CHANGES) {
        const changed = changedAt(body, path, change);
        if (JSON.stringify(changed) === JSON.stringify(body)) continue;
        expect((await verify(changed)).holds, `${path.join('.')} by ${change}`).to.equal(false);
      }
    }
  });

  it('does not hold when a member is added anywhere', async () => {
    const body = await answer();
    for (const path of [[], ['market'], ['numbers'], ['meta'], ['meta', 'thresholds'], ['evidence'], ['order']]) {
      const changed = structuredClone(body);
      path.reduce((at, key) => at[key], changed).added = 1;
      expect((await verify(changed)).holds, path.join('.')).to.equal(false);
    }
  });

  it('does not hold when it is that of another answer', async () => {
    const [one, other] = [await answer(1), await answer(2)];
    expect((await verify({ ...one, evidence: other.evidence })).holds).to.equal(false);
  });

  it('is signed as any JOSE library checks it', async () => {
    const { evidence } = (await answer()) as { evidence: Evidence };
    const [header, signature] = evidence.jws.split('..');
    const text = Buffer.from(canonicalize(evidence.payload)!).toString('base64url');
    const keys = createLocalJWKSet(jwks() as Parameters<typeof createLocalJWKSet>[0]);
    const { protectedHeader } = await compactVerify(`${header}.${text}.${signature}`, keys);
    expect(protectedHeader).to.deep.equal({ alg: 'EdDSA', kid: home.keys.current().kid });
  });

  it('holds after its key was rotated, and no longer when it was revoked', async () => {
    const old = await answer();
    const { kid } = home.keys.current();
    home.keys.rotate();
    const young = await answer();
    expect(home.keys.current().kid).to.not.equal(kid);
    expect([await faults(old), await faults(young)]).to.deep.equal([[], []]);
    home.keys.revoke(kid);
    expect([await faults(old), await faults(young)]).to.deep.equal([['issuer'], []]);
    const { checks } = await verify(old);
    expect(checks.find(({ name }) => name === 'issuer')!.says).to.match(/is revoked since 20/);
  });

  it('says which key is missing, and that another service has signed', async () => {
    const body = await answer();
    const other = newEvidenceFixture();
    const foreign = parseJwks(jwksFile({ ...CONFIG, evidenceKeys: other.keys }).body)!;
    other.remove();
    const stranger = await verifyAnswer(body, { jwks: foreign });
    expect(stranger.checks.filter(({ holds }) => holds === false).map(({ name }) => name)).to.deep.equal([
      'signature',
      'issuer',
    ]);
    const elsewhere = await verifyAnswer(body, { jwks: jwks(), issuer: 'https://elsewhere.example' });
    expect(elsewhere.checks.find(({ holds }) => holds === false)!.says).to.include('not https://elsewhere.example');
  });

  it('takes the hash of a real book of the venue, and its levels reproduce it', async () => {
    for (const name of ['rest_book.json', 'rest_book_neg_risk.json']) {
      const snapshot = parseClobBook(JSON.parse(readFixture(name)))!;
      const book = new OrderBook(snapshot.tokenId, snapshot.conditionId);
      book.reconcile(snapshot, book.question(0));
      expect([checkHash(book), book.expectedHash], name).to.deep.equal(['agrees', snapshot.hash]);
      const [bidsAscending, asksDescending] = [book.bids.levels(), book.asks.levels()];
      expect(await bookHash({ ...snapshot, bidsAscending, asksDescending }), name).to.equal(snapshot.hash);
      book.bids.set(4_321, 1_000_000);
      expect(checkHash(book), name).to.equal('differs');
    }
  });

  it('takes the hash of every recorded book of the venue', function () {
    needCaptures(this);
    const runs = readCaptureLines('clob-rest/books_run_20260311T214149Z.jsonl.gz') as { books: unknown[] }[];
    const snapshots = runs.flatMap(({ books }) => books).map((raw) => parseClobBook(raw)!);
    expect(snapshots.length).to.be.above(50);
    for (const snapshot of snapshots) {
      const book = new OrderBook(snapshot.tokenId, snapshot.conditionId);
      book.reconcile(snapshot, book.question(0));
      expect([checkHash(book), book.expectedHash], snapshot.tokenId).to.deep.equal(['agrees', snapshot.hash]);
    }
  });

  it('is not looked for in what has none, however broken', async () => {
    const body = await answer();
    const broken = [null, 1, [], {}, { ...body, evidence: 1 }, { ...body, evidence: { payload: {}, jws: '' } }];
    for (const one of [...broken, { ...body, evidence: { ...body.evidence, jws: 'e30..AA' } }]) {
      expect((await verify(one)).holds).to.equal(false);
    }
  });
});

type Path = readonly string[];

/** Paths of every value in a JSON value that is no object and no array. */
function leavesOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Object.entries(value);
  return entries.length === 0 ? [path] : entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

const CHANGES = ['another', 'null', 'removed'] as const;

function changedAt(body: Json, path: Path, change: (typeof CHANGES)[number]): Json {
  const copy = structuredClone(body);
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  const key = path.at(-1)!;
  if (change === 'removed') delete parent[key];
  else parent[key] = change === 'null' ? null : another(parent[key]);
  return copy;
}

function another(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'something';
  // The first character, so that a signature changes by more than bits that pad it.
  return value === '' ? 'x' : (value[0] === 'A' ? 'B' : 'A') + value.slice(1);
}
