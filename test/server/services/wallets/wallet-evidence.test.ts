import { expect } from 'chai';
import { parseJwks, verifyAnswer } from '#client/engine';
import { jwks as jwksFile } from '#discovery/jwks';
import type { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { RATING_CONFIG, SCORE_2_CONFIG } from '#domain/rating/rating-config';
import type { StoredRating } from '#domain/rating/stored-rating';
import { toWalletProfile } from '#judge/wallet/bodies';
import { toLeaderboard, toRedList } from '#services/wallets/list-bodies';
import { WalletLists } from '#services/wallets/lists';
import { createWalletEvidence } from '#services/wallets/wallet-evidence';
import { walletNumber } from '#test/contract/store.contract';
import { CONFIG } from '#test/support/discovery';
import { ENGINE, type EvidenceFixture, ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { AS_OF_S } from '#test/support/sample-ratings';
import { publishBoard } from '../support/publish-board.js';
import { WalletsRig } from '../support/wallets-rig.js';

const DAY_S = 86_400;
const [SKILLED, UNLUCKY, UNLISTED, NEW] = [1, 2, 3, 4].map(walletNumber) as [
  WalletAddress,
  WalletAddress,
  WalletAddress,
  WalletAddress,
];
/** Entries of a wallet, and how many of ten won. The third has too few for the red list. */
const WALLETS = [
  [SKILLED, 300, 7],
  [UNLUCKY, 120, 1],
  [UNLISTED, 12, 1],
] as const;

describe('the evidence of a wallet, as it is answered', () => {
  let rig: WalletsRig;
  let home: EvidenceFixture;
  let errors: object[];

  beforeEach(async () => {
    rig = await WalletsRig.open();
    home = newEvidenceFixture();
    errors = [];
    for (const [wallet, entries, wonOfTen] of WALLETS) {
      const fills = fillsOf(wallet, entries);
      rig.tape.fills.push(...fills);
      for (const [n, fill] of fills.entries()) {
        const market = marketOf(fill, (n * 7) % 10 < wonOfTen);
        rig.venue.markets.set(fill.condition, market);
        await rig.tape.addRows('markets', [market]);
      }
    }
    await publishBoard(rig, AS_OF_S - 100 * DAY_S, []);
  });
  afterEach(async () => {
    home.remove();
    await rig.remove();
  });

  /** The answer of preflight_copy with evidence. */
  async function ask(wallet: WalletAddress) {
    const answer = await rig.settled(wallet);
    if (answer.kind !== 'rated') throw new Error(`${wallet} is ${answer.kind}`);
    const evidenceOf = createWalletEvidence({
      ...{ issuer: ISSUER, engine: ENGINE, keys: home.keys, config: RATING_CONFIG, store: rig.store, tape: rig.tape },
      log: { error: (facts: object) => void errors.push(facts) },
    });
    const profile = toWalletProfile(answer.stored, answer);
    return { ...profile, evidence: JSON.parse(await evidenceOf(answer, profile)) };
  }

  const refusalOf = (wallet: WalletAddress): Promise<Problem> =>
    ask(wallet).then(
      () => expect.fail('it was answered'),
      (problem) => problem,
    );

  async function expectVerified(wallet: WalletAddress) {
    const body = await ask(wallet);
    const jwks = parseJwks(jwksFile({ ...CONFIG, evidenceKeys: home.keys }).body)!;
    const { holds, checks } = await verifyAnswer(body, { jwks, issuer: ISSUER, engine: ENGINE });
    expect(holds, JSON.stringify(checks)).to.equal(true);
    return body;
  }

  it('has the hash that the list gives of it', async () => {
    const lists = new WalletLists({ store: rig.store, clock: rig.clock });
    for (const [list, toBody, listed] of [
      [await lists.leaderboard(), toLeaderboard, SKILLED],
      [await lists.redList(), toRedList, UNLUCKY],
    ] as const) {
      if (list.kind !== 'listed') throw new Error('there is no board');
      const row = toBody({ ...list, ratings: list.wallets }).wallets.find(({ wallet }) => wallet === listed)!;
      const { evidence } = await expectVerified(listed);
      expect(row.evidence_hash).to.equal(evidence.payload.basis_hash);
    }
  });

  it('of a wallet of the lists stands, whatever the tape learns since', async () => {
    const before = await ask(SKILLED);
    rig.tape.fills.push(...fillsOf(SKILLED, 20).map((fill) => ({ ...fill, token: `${fill.token}9`, tx: '0xlate' })));
    expect(await ask(SKILLED)).to.deep.equal(before);
    expect(errors).to.deep.equal([]);
  });

  it('of any other wallet of the board is read from the tape', async () => {
    expect(await rig.store.bases.read(AS_OF_S, UNLISTED)).to.equal(null);
    const { evidence } = await expectVerified(UNLISTED);
    expect(evidence.payload.basis.seen).to.include({ source: 'tape', from: '2026-04-23T00:00:00Z' });
  });

  it('of a board that the rules before an upgrade made is read from the tape by those rules', async () => {
    await publishBoard(rig, AS_OF_S - 100 * DAY_S, [], SCORE_2_CONFIG);
    const { evidence } = await expectVerified(UNLISTED);
    expect(evidence.payload.basis.rating_config.scoreVersion).to.equal(2);
    expect(errors).to.deep.equal([]);
  });

  it('is never what another version computed of the same entries', async () => {
    const { stored } = (await rig.settled(UNLUCKY)) as { readonly stored: StoredRating };
    const text = (await rig.store.bases.read(AS_OF_S, UNLUCKY))!;
    await publishBoard(rig, AS_OF_S - 100 * DAY_S, [], SCORE_2_CONFIG);
    await rig.store.bases.put([{ wallet: UNLUCKY, asOfS: AS_OF_S, text }]);
    const { rating_config } = await expectVerified(UNLUCKY);
    expect(rating_config).to.not.equal(stored.config);
  });

  it('is refused, and the operator is told, where the tape gives another rating by now', async () => {
    rig.tape.fills.push({ ...fillsOf(UNLISTED, 1)[0]!, token: '999', condition: 'c999', tx: '0xlate' });
    const problem = await refusalOf(UNLISTED);
    expect(problem.code).to.equal('evidence_unavailable');
    expect(problem.message).to.include('nothing was charged');
    expect(errors).to.deep.equal([{ wallet: UNLISTED, asOfS: AS_OF_S, verdict: 'VETO' }]);
  });

  it('of a wallet that was rated on demand is what that rating was made of', async () => {
    const fills = fillsOf(NEW, 40);
    rig.venue.trades.set(NEW, fills);
    for (const [n, fill] of fills.entries()) rig.venue.markets.set(fill.condition, marketOf(fill, n % 2 === 0));
    const { evidence } = await expectVerified(NEW);
    expect(evidence.payload.basis.seen).to.deep.equal({
      ...{ source: 'venue', from: null, gap: null, markets_not_described: 0 },
    });
    expect(evidence.payload.basis.entries.token).to.have.length(40);
    // What the venue or the tape say later changes nothing.
    rig.venue.trades.set(NEW, []);
    await expectVerified(NEW);
  });

  it('of a rating whose basis is another one is refused', async () => {
    rig.venue.trades.set(NEW, fillsOf(NEW, 40));
    for (const fill of fillsOf(NEW, 40)) rig.venue.markets.set(fill.condition, marketOf(fill, true));
    await ask(NEW);
    const text = (await rig.store.bases.read(AS_OF_S, SKILLED))!;
    await rig.store.bases.put([{ wallet: NEW, asOfS: AS_OF_S, text }]);
    expect((await refusalOf(NEW)).code).to.equal('evidence_unavailable');
    expect(errors).to.have.length(1);
  });

  it('is not kept of a wallet without coverage', async () => {
    rig.venue.trades.set(NEW, fillsOf(NEW, 3));
    for (const fill of fillsOf(NEW, 3)) rig.venue.markets.set(fill.condition, marketOf(fill, true));
    expect((await rig.settled(NEW)).kind).to.equal('no_coverage');
    expect(await rig.store.bases.read(AS_OF_S, NEW)).to.equal(null);
  });
});
