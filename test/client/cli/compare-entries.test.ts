import { expect } from 'chai';
import { comparedSummary, compareEntries } from '#client/cli/compare-entries';
import type { PublicFill, PublicFills } from '#client/http/public-fills';
import { seededRandom } from '#local/venue/market/seeded-random';

const WALLET = `0x${'ab'.repeat(20)}`;
const AT_S = 1_785_000_000;
/** Two entries: one with its transaction, one without. */
const ANSWER = {
  evidence: {
    payload: {
      kind: 'wallet_rating',
      basis: {
        wallet: WALLET,
        seen: { source: 'tape', from: new Date((AT_S - 86_400) * 1e3).toISOString() },
        entries: {
          token: ['11', '22'],
          condition: ['0xc1', '0xc2'],
          time_s: [AT_S, AT_S + 60],
          transaction: ['0xAA', ''],
          price_micros: [412_000, 500_000],
          size_micros: [20_000_000, 10_000_000],
        },
      },
    },
  },
};
const fill = (more: Partial<PublicFill> = {}): PublicFill => ({
  ...{ tokenId: '11', side: 'BUY', shares: 20, price: 0.412, atS: AT_S, transaction: '0xaa', ...more },
});
const second = fill({ tokenId: '22', shares: 10, price: 0.5, atS: AT_S + 60, transaction: '0xbb' });

describe('entries of a rating against public trades', () => {
  const asked: string[] = [];
  beforeEach(() => {
    asked.length = 0;
  });

  /** What is found where the venue lists these fills in the first market. */
  async function found(first: readonly PublicFill[], isComplete = true, count = 2) {
    const fillsOf = async ({ wallet, condition }: { wallet: string; condition: string }): Promise<PublicFills> => {
      asked.push(`${wallet} ${condition}`);
      return { fills: condition === '0xc1' ? first : [second], isComplete };
    };
    return compareEntries(ANSWER, count, { fillsOf, random: seededRandom(7) });
  }
  const holds = async (first: readonly PublicFill[], isComplete = true) => (await found(first, isComplete))[0]!.holds;

  it('agree where the first BUY of the token is of this time, transaction, price and size', async () => {
    expect((await found([fill()])).map((check) => check.holds)).to.deep.equal([true, true]);
    expect(asked).to.deep.equal([`${WALLET} 0xc1`, `${WALLET} 0xc2`]);
  });

  it('agree where one order was filled in parts', async () => {
    expect(await holds([fill({ shares: 8, price: 0.4 }), fill({ shares: 12, price: 0.42 })])).to.equal(true);
  });

  it('agree whatever was sold before, bought in another token, or too small to be seen', async () => {
    const before = { atS: AT_S - 60, transaction: '0x01' };
    const others = [
      fill({ ...before, side: 'SELL' }),
      fill({ ...before, tokenId: '12' }),
      fill({ ...before, shares: 4 }),
    ];
    expect(await holds([fill(), ...others])).to.equal(true);
  });

  it('cannot be compared where the token was bought before the trades begin that the answer says were seen', async () => {
    const [check] = await found([fill(), fill({ atS: AT_S - 86_401, transaction: '0x01' })]);
    expect([check!.holds, check!.says]).to.satisfy(
      ([is, says]: unknown[]) => is === null && /as the answer says/.test(String(says)),
    );
    expect(await holds([fill(), fill({ atS: AT_S - 86_400, transaction: '0x01' })])).to.equal(false);
  });

  for (const [what, fills] of [
    ['the venue lists no such trade', [fill({ transaction: '0xcc' })]],
    ['the token was bought before', [fill(), fill({ atS: AT_S - 1, transaction: '0x01' })]],
    ['the price is another', [fill({ price: 0.42 })]],
    ['the size is another', [fill({ shares: 25 })]],
    ['it was a sale', [fill({ side: 'SELL' })]],
  ] as const) {
    it(`differ where ${what}`, async () => {
      expect(await holds(fills)).to.equal(false);
    });
  }

  it('prove nothing where the venue lists more trades than were read', async () => {
    expect([await holds([fill()], false), await holds([], false)]).to.deep.equal([null, null]);
  });

  it('are summed up by how many were found', async () => {
    const summary = async (first: readonly PublicFill[], isComplete: boolean) =>
      comparedSummary(await found(first, isComplete));
    expect(await summary([fill()], true)).to.equal('The venue lists all entries that were looked up: 2.');
    expect(await summary([], false)).to.equal(
      'The venue lists 0 of 2 entries that were looked up. The others could not be checked; their lines say why.',
    );
  });

  it('are drawn at random, each once, and no more than there are', async () => {
    await found([fill()], true, 1);
    expect(asked).to.have.length(1);
    expect(await found([fill()], true, 50)).to.have.length(2);
  });

  it('are none where the evidence lists none', async () => {
    const none = { evidence: { payload: { kind: 'wallet_rating', basis: { wallet: WALLET, entries: null } } } };
    const checks = await compareEntries(none, 5, { fillsOf: () => expect.fail(), random: seededRandom(7) });
    expect(checks.map((check) => check.holds)).to.deep.equal([null]);
    expect(comparedSummary(checks)).to.equal('No entries were looked up: the evidence lists none.');
  });
});
