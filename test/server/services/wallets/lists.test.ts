import { expect } from 'chai';
import { OutsideError } from '#domain/errors';
import type { RatingsStore } from '#ports/ratings-store';
import { WalletLists } from '#services/wallets/lists';
import { walletNumber } from '#test/contract/store.contract';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';

const [A, B, C] = [walletNumber(0xa), walletNumber(0xb), walletNumber(0xc)];

describe('wallet lists', () => {
  let fixture: Awaited<ReturnType<typeof makeRatingsFixture>>;
  let store: RatingsStore;
  let lists: WalletLists;
  let reads: number;
  const clock = new ManualClock(AS_OF_S * 1e3 + 4 * 3_600_000);

  beforeEach(async () => {
    fixture = await makeRatingsFixture();
    store = await fixture.open();
    reads = 0;
    const boardRating: RatingsStore['boardRating'] = (wallet) => {
      reads++;
      return store.boardRating(wallet);
    };
    lists = new WalletLists({ store: { ...store, boardRating }, clock });
  });

  afterEach(() => fixture.remove());

  const publish = async (run: number, leaderboard: readonly string[], redList: readonly string[]) => {
    const wallets = [A, B, C].map((wallet) => storedRating({ wallet, reasonText: `run ${run}` }));
    await store.putBoardRatings(run, wallets);
    await store.publish(sampleBoard({ run, leaderboard, redList }));
  };
  const received = async (name: 'leaderboard' | 'redList') => {
    const list = await lists[name]();
    return list.kind === 'listed'
      ? list.wallets.map(({ rating }) => `${rating.wallet} ${rating.reasonText}`)
      : list.kind;
  };

  it('say so where no run has succeeded yet', async () => {
    expect(await lists.leaderboard()).to.deep.equal({ kind: 'no_board' });
  });

  it('give the ratings of the board in its order, or none', async () => {
    await publish(1, [C, A], []);
    expect(await received('leaderboard')).to.deep.equal([`${C} run 1`, `${A} run 1`]);
    expect(await received('redList')).to.deep.equal([]);
    const list = await lists.redList();
    expect(list.kind === 'listed' && [list.board.run, list.nextRefreshS]).to.deep.equal([1, AS_OF_S + 28.5 * 3_600]);
  });

  it('are asked for again when a late board is looked for, and say that it is late', async () => {
    await publish(1, [C], []);
    const lateS = AS_OF_S + 34 * 3_600;
    const nextLookAtMs = () => (lateS + 2_000) * 1e3;
    const late = new WalletLists({ store, clock: new ManualClock(lateS * 1e3), nextLookAtMs });
    expect(await late.leaderboard()).to.include({ nextRefreshS: lateS + 2_000, isLate: true });
    const unknown = new WalletLists({ store, clock: new ManualClock(lateS * 1e3) });
    expect(await unknown.leaderboard()).to.include({ nextRefreshS: lateS + 900, isLate: true });
    expect(await lists.leaderboard()).to.include({ isLate: false });
  });

  it('are read once per run', async () => {
    await publish(1, [C, A], [B]);
    for (let n = 0; n < 5; n++) await Promise.all([lists.leaderboard(), lists.redList()]);
    const read = reads;
    await publish(2, [A], [B]);
    expect(await received('leaderboard')).to.deep.equal([`${A} run 2`]);
    expect([read, reads]).to.deep.equal([3, 4]);
  });

  it('never mix two boards, though one comes into force while they are read', async () => {
    await publish(1, [A, B, C], []);
    let run = 1;
    const boardRating: RatingsStore['boardRating'] = async (wallet) => {
      if (wallet === B && run < 3) await publish(++run, [A, B, C].slice(run - 2), []);
      return store.boardRating(wallet);
    };
    lists = new WalletLists({ store: { ...store, boardRating }, clock });
    expect(await received('leaderboard')).to.deep.equal([`${B} run 3`, `${C} run 3`]);
  });

  it('fail where a rating of the board is missing', async () => {
    await publish(1, [A, walletNumber(0xd)], []);
    const error = await lists.leaderboard().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(OutsideError);
    expect((error as Error).message).to.include('rating of run 1 is missing');
  });
});
