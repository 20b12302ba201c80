import { expect } from 'chai';
import fc from 'fast-check';
import { parseOrder } from '#api/order-request';
import { isAnotherOrder, orderWords } from '#page/model/ask/order-words';
import { OUTSIDE_START, type OutsideChoice, outsideRequest } from '#page/model/ask/outside-request';

const SEED = Number(process.env.SEED ?? 17);
const ORDER = { usd: '100', maxSlippageC: '1', vetoSlippageC: '3', maxBookAgeS: '60' };
const TOKEN = '12345678901234567890123';

/** What an answer says that it is about. */
const ANSWERED = {
  market: { slug: 'a-market', question: 'A market?', outcome: 'Yes', token_id: TOKEN },
  order: { side: 'BUY', usd: 100 },
} as const;

const requestOf = (choice: Partial<OutsideChoice>) => outsideRequest({ ...OUTSIDE_START, ...choice }, ORDER);
const wordsOf = (choice: Partial<OutsideChoice>) => {
  const request = requestOf(choice);
  return request.kind === 'request' ? orderWords(request.args) : request.kind;
};

describe('an order on another market', () => {
  for (const [choice, outcome] of [
    [{ outcome: 'Yes' }, 'Yes'],
    [{ outcome: 'No' }, 'No'],
    [{ outcome: 'No', name: ' Ada Marlowe ' }, 'Ada Marlowe: No'],
    [{ outcome: 'named', name: 'Riverton Royals' }, 'Riverton Royals'],
  ] as const) {
    it(`asks for ${outcome} when that is chosen, and names it`, () => {
      const request = requestOf({ market: 'a-market', ...choice });
      if (request.kind !== 'request') throw new Error(request.kind);
      expect(new URLSearchParams(request.path.split('?')[1]).get('outcome')).to.equal(outcome);
      expect(orderWords(request.args)).to.equal(`Buy “${outcome}” for 100 USD in a-market`);
    });
  }

  it('is no request while market, outcome or name is missing', () => {
    expect(requestOf({})).to.deep.equal({ kind: 'incomplete', missing: 'market' });
    expect(requestOf({ market: 'a-market' })).to.deep.equal({ kind: 'incomplete', missing: 'outcome' });
    expect(requestOf({ market: 'a-market', outcome: 'named', name: ' ' })).to.deep.equal({
      kind: 'incomplete',
      missing: 'name',
    });
  });

  it('sends what is typed without blanks around it, and numbers as the service reads them', () => {
    const request = outsideRequest(
      { ...OUTSIDE_START, market: ` ${TOKEN}\n` },
      { usd: ' 1e3 ', maxSlippageC: '.5', vetoSlippageC: '3.0 ', maxBookAgeS: '60' },
    );
    expect(request).to.have.property('args').that.deep.equals({
      token_id: TOKEN,
      side: 'BUY',
      usd: '1000',
      max_slippage_c: '0.5',
      veto_slippage_c: '3',
      max_book_age_s: '60',
    });
  });

  for (const [what, choice, order, field] of [
    ['a size with a separator', {}, { usd: '1,000' }, 'order'],
    ['a size with a sign of money', {}, { usd: '$100' }, 'order'],
    ['a size of nothing', {}, { usd: '0' }, 'order'],
    ['a limit that is no number', {}, { maxBookAgeS: 'soon' }, 'order'],
    ['a veto below the caution', {}, { maxSlippageC: '5' }, 'order'],
    ['an address of another site', { market: 'https://example.com/event/x' }, {}, 'market'],
    [
      'an address that is too long',
      { market: `https://polymarket.com/event/an-event?${'x'.repeat(500)}` },
      {},
      'market',
    ],
    ['a name that is too long', { name: 'x'.repeat(300) }, {}, 'name'],
  ] as const) {
    it(`is no request for ${what}, and says at which field`, () => {
      const chosen = { ...OUTSIDE_START, market: 'a-market', outcome: 'Yes', ...choice } as const;
      expect(outsideRequest(chosen, { ...ORDER, ...order })).to.include({ kind: 'invalid', field });
    });
  }

  it('is a request only if the service takes its form, whatever is typed', () => {
    const typed = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('2', ' 3 ', '1e1', '.5') },
      fc.constantFrom('', ' ', '100', '1,000', '1e3', '1e-9', '-1', '+5', '0', '.5', '101', '$5', '1e999', '1 000'),
      fc.double({ noNaN: true }).map(String),
      fc.string({ maxLength: 80 }),
    );
    const named = fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('a-market', TOKEN, ` ${TOKEN} `, '7') },
      fc.string({ maxLength: 600 }),
    );
    const choice = fc.record({
      market: named,
      side: fc.constantFrom('BUY', 'SELL'),
      outcome: fc.constantFrom(null, 'Yes', 'No', 'named'),
      name: fc.string({ maxLength: 300 }),
    });
    const order = fc.record({ usd: typed, maxSlippageC: typed, vetoSlippageC: typed, maxBookAgeS: typed });
    let requests = 0;
    fc.assert(
      fc.property(choice, order, (chosen, fields) => {
        const request = outsideRequest(chosen as OutsideChoice, fields);
        if (request.kind !== 'request') return;
        requests++;
        expect(parseOrder(request.args)).to.have.property('kind', 'parsed');
      }),
      { seed: SEED, numRuns: 3_000 },
    );
    expect(requests, `SEED=${SEED}`).to.be.above(100);
  });

  it('names a token by both its ends, and its outcome needs no choice', () => {
    expect(wordsOf({ market: TOKEN, side: 'SELL' })).to.equal('Sell the outcome of token 123456…890123 for 100 USD');
  });

  it('names the market of an address', () => {
    const event = 'https://polymarket.com/event/an-event';
    expect(wordsOf({ market: event, outcome: 'No', name: 'Ada' })).to.include('in an-event');
    expect(wordsOf({ market: `${event}/a-market`, outcome: 'No' })).to.include('in a-market');
  });

  it('is answered about another one if its Yes or No came back as a name', () => {
    const isAnother = (args: Record<string, string>, outcome: string) =>
      isAnotherOrder(args, { ...ANSWERED, market: { ...ANSWERED.market, outcome } });
    expect(isAnother({ outcome: 'No' }, 'Novak')).to.equal(true);
    expect(isAnother({ outcome: 'Ada: No' }, 'Yes')).to.equal(true);
    expect(isAnother({ outcome: 'Ada: No' }, 'No')).to.equal(false);
    expect(isAnother({ outcome: 'Riverton' }, 'Riverton Royals')).to.equal(false);
    expect(isAnother({}, 'Yes')).to.equal(false);
  });

  for (const [what, args, isAnother] of [
    ['the token that was asked for', { token_id: TOKEN }, false],
    ['another token', { token_id: `${TOKEN}4` }, true],
    ['the market of an address, in another case', { slug: 'https://polymarket.com/event/e/A-Market' }, false],
    ['another market than that of an address', { slug: 'https://polymarket.com/event/e/b-market' }, true],
    ['a market of the event that was named', { slug: 'https://polymarket.com/event/e' }, false],
    ['a market of the event or market that a slug named', { slug: 'e' }, false],
    ['another side', { side: 'SELL' }, true],
    ['another size', { usd: '100.01' }, true],
    ['the size that was asked for', { usd: '100', side: 'BUY' }, false],
  ] as const) {
    it(`is answered about ${isAnother ? 'another one' : 'this one'} if the answer is about ${what}`, () => {
      expect(isAnotherOrder(args, ANSWERED)).to.equal(isAnother);
    });
  }
});
