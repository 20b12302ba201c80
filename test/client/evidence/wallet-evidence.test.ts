import { expect } from 'chai';
import fc from 'fast-check';
import { compactVerify, createLocalJWKSet } from 'jose';
import { WalletProfileSchema } from '#api/wallets/wallet-profile';
import { parseJwks, verifyAnswer } from '#client/engine';
import { walletPayloadFault } from '#client/evidence/wallet-payload-form';
import { jwks as jwksFile } from '#discovery/jwks';
import { groupBy } from '#domain/rating/group-by';
import { RATING_CONFIG, SHRINKAGE_CUT_OFFS } from '#domain/rating/rating-config';
import { canonicalText } from '#judge/canonical-text';
import type { Seen } from '#judge/wallet/rate-entries';
import { arbitraryTape } from '#test/support/arbitrary-tapes';
import { needCaptures } from '#test/support/captures';
import { CONFIG } from '#test/support/discovery';
import { ENGINE, type EvidenceFixture, ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { ratingWithEvidence } from '#test/support/evidenced-ratings';
import { AS_OF_S } from '#test/support/sample-ratings';
import { EVIDENCE_RUNS, RATED_WALLETS_STRIDE } from '#test/support/size';
import { frameOf, skilledWallet, SKILLED_WALLET as WALLET } from '#test/support/skilled-wallet';
import { readSynthetic, SCORE_2_CONFIG, SYNTHETIC_AS_OF_S } from '../../shared/domain/support/tape-fixtures.js';

// biome-ignore lint/suspicious/noExplicitAny: tests take answers apart.
type Json = any;

const DAY_S = 86_400;

/** Wallets of any tape, in any of the states that a window can be seen in. */
const arbitraryRating = fc
  .record({
    tape: arbitraryTape({ wallets: 1, conditions: 60, starts: 200 }),
    source: fc.constantFrom('tape', 'venue'),
    fromDays: fc.constantFrom(null, 400, 100, 80, 20),
    gap: fc.constantFrom(null, 10, 50),
    markets: fc.constantFrom(0, 0, 3),
  })
  .map(({ tape, source, fromDays, gap, markets }) => {
    const fromS = fromDays === null ? null : tape.asOfS - fromDays * DAY_S;
    const of = gap === null ? null : { fromS: tape.asOfS - gap * DAY_S, toS: tape.asOfS - gap * DAY_S + 60 };
    // A tape always has a first fill, and describes what it can.
    const seen: Seen =
      source === 'tape'
        ? { source, fromS: fromS ?? tape.asOfS - 500 * DAY_S, gap: of, markets: 0 }
        : { source, fromS, gap: of, markets };
    return { tape, frame: frameOf(tape.asOfS, seen) };
  });

describe('the evidence of a rating', function () {
  this.timeout(600_000);
  let home: EvidenceFixture;
  const jwks = () => parseJwks(jwksFile({ ...CONFIG, evidenceKeys: home.keys }).body)!;
  const verify = (answer: unknown) => verifyAnswer(answer, { jwks: jwks(), issuer: ISSUER, engine: ENGINE });
  const faults = async (answer: unknown) =>
    (await verify(answer)).checks.filter(({ holds }) => holds === false).map(({ name }) => name);
  const answer = async (seen: Partial<Seen> = {}): Promise<Json> =>
    JSON.parse(
      (await ratingWithEvidence({ wallet: WALLET, ...skilledWallet(), frame: frameOf(AS_OF_S, seen) }, home))!,
    );
  /** Signs a payload that somebody has changed, as the issuer itself would. */
  const signedAgain = (body: Json): Json => {
    const { payload } = body.evidence;
    return { ...body, evidence: { payload, jws: home.keys.sign(canonicalText(payload)) } };
  };

  beforeEach(() => {
    home = newEvidenceFixture();
  });
  afterEach(() => home.remove());

  it('suffices to compute every figure again, on any tape', async () => {
    const verdicts = new Map<string, number>();
    let recomputed = 0;
    const property = fc.asyncProperty(arbitraryRating, async ({ tape, frame }) => {
      const { fills, markets } = tape;
      const [wallet = '0xw1'] = fills.map((fill) => fill.wallet);
      const text = await ratingWithEvidence({ wallet, fills, markets, frame }, home);
      if (text === null) return;
      const { holds, checks } = await verify(JSON.parse(text));
      expect(holds, JSON.stringify(checks)).to.equal(true);
      expect(checks.filter((check) => check.holds === null)).to.deep.equal([]);
      const { verdict } = JSON.parse(text);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      recomputed++;
    });
    await fc.assert(property, { numRuns: EVIDENCE_RUNS });
    expect(recomputed, 'wallets with coverage').to.be.above(EVIDENCE_RUNS / 4);
    expect(verdicts.size).to.be.above(1);
  });

  it('of each wallet of the generated tape gives its rating again', async function () {
    needCaptures(this);
    const tape = readSynthetic();
    const fillsOf = groupBy(tape.fills, ({ wallet }) => wallet);
    let rated = 0;
    for (const { wallet } of tape.expected.filter((_, n) => n % RATED_WALLETS_STRIDE === 0)) {
      const fills = fillsOf.get(wallet!) ?? [];
      const asked = { wallet: wallet!, fills, markets: tape.markets, frame: frameOf(SYNTHETIC_AS_OF_S) };
      const text = await ratingWithEvidence(asked, home);
      if (text === null) continue;
      rated++;
      expect((await verify(JSON.parse(text))).holds, wallet).to.equal(true);
    }
    expect(rated).to.be.above((0.6 * tape.expected.length) / RATED_WALLETS_STRIDE - 1);
  });

  it('is of the form that OpenAPI gives, and is checked by a library for JWS as well', async () => {
    const body = await answer();
    expect(WalletProfileSchema.safeParse(body).error).to.equal(undefined);
    const [header, , signature] = body.evidence.jws.split('.');
    const signed = Buffer.from(canonicalText(body.evidence.payload)).toString('base64url');
    const { payload } = await compactVerify(`${header}.${signed}.${signature}`, createLocalJWKSet(jwks() as never));
    expect(JSON.parse(Buffer.from(payload).toString())).to.deep.equal(body.evidence.payload);
  });

  it('of a rating that asked for no shrunken edge is computed again by its own cut-offs', async () => {
    const { fills, markets } = skilledWallet();
    const few = fills.filter((_, n) => n % 4 === 0);
    const asked = { wallet: WALLET, fills: few, markets, frame: frameOf(AS_OF_S) };
    const [now, before] = await Promise.all(
      [RATING_CONFIG, SCORE_2_CONFIG].map(async (config) =>
        JSON.parse((await ratingWithEvidence({ ...asked, config }, home))!),
      ),
    );
    expect([now.reason_code, before.reason_code]).to.deep.equal(['validated', 'is_small']);
    for (const [body, says] of [
      [now, 'those of score version 3'],
      [before, 'those of score version 2'],
    ] as const) {
      const { holds, checks } = await verify(body);
      expect(holds).to.equal(true);
      expect(checks).to.deep.include({ name: 'cut_offs', holds: true, says });
    }
    const { payload } = before.evidence;
    for (const cutOff of SHRINKAGE_CUT_OFFS) expect(payload.basis.rating_config).to.not.have.property(cutOff);
    payload.basis.rating_config.scoreVersion = 3;
    expect(walletPayloadFault(payload)).to.equal('payload.basis.rating_config.edgePriorMeanMicros');
  });

  it('says so where the rules are laxer than any that were published', async () => {
    const lax = { ...RATING_CONFIG, windowZMin: 0, shrunkenEdgeMicrosMin: -1_000_000 };
    const { fills, markets } = skilledWallet();
    const asked = { wallet: WALLET, fills, markets, frame: frameOf(AS_OF_S), config: lax };
    const { holds, checks } = await verify(JSON.parse((await ratingWithEvidence(asked, home))!));
    expect(holds).to.equal(true);
    expect(checks).to.deep.include({ name: 'cut_offs', holds: null, says: 'of no version that this program knows' });
  });

  it('covers a COPY with its second mark', async () => {
    const body = await answer();
    expect([body.verdict, body.strength]).to.deep.equal(['COPY', 'strong']);
    expect(await faults(body)).to.deep.equal([]);
    expect(await faults({ ...body, strength: undefined })).to.deep.equal(['verdict']);
  });

  it('says so where not all of the window was seen', async () => {
    const body = await answer({ source: 'tape', fromS: AS_OF_S - 40 * DAY_S });
    expect(body.reason_code).to.equal('tape_short');
    expect(await faults(body)).to.deep.equal([]);
    expect(await faults({ ...body, tape_note: undefined })).to.deep.equal(['answer']);
  });

  it('is broken by each changed byte of the answer', async () => {
    const body = await answer();
    const changed: readonly [path: string, change: (body: Json) => void, found: string][] = [
      ['verdict', (b) => (b.verdict = 'WATCH'), 'verdict'],
      ['reason_code', (b) => (b.reason_code = 'one_event'), 'verdict'],
      ['reasons', (b) => b.reasons.push('Buy it.'), 'reasons'],
      ['n_resolved', (b) => b.n_resolved++, 'counts'],
      ['roi_fee_inclusive_pct', (b) => (b.roi_fee_inclusive_pct += 0.0001), 'roi'],
      ['z', (b) => (b.z += 0.0001), 'certainty'],
      ['out_of_sample.entries', (b) => b.out_of_sample.entries++, 'months'],
      ['both_sides', (b) => b.both_sides.markets++, 'farming'],
      ['window', (b) => (b.window.days = 91), 'answer'],
      ['rating_config', (b) => (b.rating_config = 'f'.repeat(16)), 'answer'],
      ['data_through', (b) => (b.data_through = '2026-01-01T00:00:00Z'), 'answer'],
      ['a member more', (b) => (b.advice = 'all in'), 'answer'],
    ];
    for (const [path, change, found] of changed) {
      const copy = structuredClone(body);
      change(copy);
      expect(await faults(copy), path).to.deep.equal([found]);
    }
  });

  it('is broken by each change of one fact of an entry, though its issuer signs it again', async () => {
    const body = await answer();
    const { entries } = body.evidence.payload.basis;
    const other: Readonly<Record<string, (value: Json) => Json>> = {
      outcome_index: (value) => 1 - value,
      sold_first: (value) => 1 - value,
      round_trip: (value) => 1 - value,
      both_sided: (value) => 1 - value,
      unconfirmed: (value) => 1 - value,
      category: (value) => (value === 'sports' ? 'crypto' : 'sports'),
      pool: (value) => (value === null ? 'older' : null),
      payout_micros: (value) => (value === 0 ? 1 : value - 1),
    };
    for (const name of Object.keys(entries)) {
      for (const at of [0, 75, 149]) {
        const copy = structuredClone(body);
        const column = copy.evidence.payload.basis.entries[name];
        const change = other[name] ?? ((value: Json) => (typeof value === 'string' ? `${value}1` : (value ?? 0) + 1));
        column[at] = change(column[at]);
        expect(await faults(copy), `${name}.${at}`).to.deep.equal(['signature', 'issuer']);
        expect(await faults(signedAgain(copy)), `${name}.${at}, signed again`).to.include('basis_hash');
      }
    }
  });

  it('is broken where an entry is left out, added or told twice, whatever hash it is given', async () => {
    const body = await answer();
    const edits: readonly ((column: Json[]) => void)[] = [(c) => c.pop(), (c) => c.splice(3, 1), (c) => c.push(c[0])];
    for (const edit of edits) {
      const copy = structuredClone(body);
      const { payload } = copy.evidence;
      for (const column of Object.values<Json[]>(payload.basis.entries)) edit(column);
      const { createHash } = await import('node:crypto');
      payload.basis_hash = `sha256:${createHash('sha256').update(canonicalText(payload.basis)).digest('hex')}`;
      expect(await faults(signedAgain(copy))).to.include.members(['counts', 'payload']);
    }
  });

  it('is broken by entries that no wallet can have, also where all figures follow from them', async () => {
    const body = await answer();
    const edits: readonly [says: RegExp, edit: (entries: Record<string, Json[]>) => void][] = [
      [/a token is listed twice/, (entries) => Object.values(entries).map((column) => column.push(column[0]))],
      [/outside of the window/, (entries) => (entries.time_s![0] = AS_OF_S)],
      [/outside of the window/, (entries) => (entries.time_s![0] = AS_OF_S - 90 * 86_400 - 1)],
      [/not flagged as both-sided/, (entries) => (entries.condition![1] = entries.condition![0])],
    ];
    for (const [says, edit] of edits) {
      const copy = structuredClone(body);
      edit(copy.evidence.payload.basis.entries);
      const { checks } = await verify(signedAgain(copy));
      const found = checks.find(({ name }) => name === 'entries');
      expect([found?.holds, found?.says]).to.satisfy(
        ([holds, said]: Json[]) => holds === false && says.test(said),
        String(says),
      );
    }
  });

  it('leaves out more entries than are listed, and says that nothing can be computed again', async () => {
    const { fills, markets } = skilledWallet();
    const many = Array.from({ length: 2_001 }, (_, n) => ({
      ...fills[n % 150]!,
      token: `${n}`,
      logIndex: n,
      tx: `0x${n}`,
    }));
    const text = await ratingWithEvidence({ wallet: WALLET, fills: many, markets, frame: frameOf(AS_OF_S) }, home);
    const body = JSON.parse(text!);
    expect(body.evidence.payload.basis).to.include({ entries: null, entries_omitted: 2_001 });
    const { holds, checks } = await verify(body);
    expect(holds).to.equal(true);
    expect(checks.find(({ name }) => name === 'entries')).to.include({ holds: null });
    expect(await faults({ ...body, z: 9 })).to.deep.equal(['answer']);
  });

  it('of another form than it has is not computed with', async () => {
    const body = await answer();
    const strange: readonly [string, (payload: Json) => void][] = [
      ['payload.v', (p) => (p.v = 2)],
      ['payload.basis.rating_config.windowDays', (p) => (p.basis.rating_config.windowDays = '90')],
      ['payload.basis.entries.clips', (p) => p.basis.entries.clips.pop()],
      ['payload.basis.entries.price_micros.3', (p) => (p.basis.entries.price_micros[3] = 1e300)],
      ['payload.basis.entries.outcome_index.0', (p) => (p.basis.entries.outcome_index[0] = 2 ** 31)],
      ['payload.basis.entries.size_micros.0', (p) => (p.basis.entries.size_micros[0] = 0.5)],
      ['payload.basis.edge_prior', (p) => (p.basis.edge_prior = [1])],
      ['payload.basis.as_of', (p) => (p.basis.as_of = '2026-02-30T00:00:00Z')],
      ['payload.basis', (p) => (p.basis.more = 1)],
    ];
    for (const [path, change] of strange) {
      const copy = structuredClone(body);
      change(copy.evidence.payload);
      const { checks } = await verify(signedAgain(copy));
      expect(checks).to.deep.equal([{ name: 'form', holds: false, says: `${path} is not as evidence has it` }]);
    }
  });
});
