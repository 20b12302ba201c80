import { expect } from 'chai';
import { isAnotherOutcome, orderWords } from '#page/model/ask/order-words';
import { OUTSIDE_START, type OutsideChoice, outsideRequest } from '#page/model/ask/outside-request';

const ORDER = { usd: '100', maxSlippageC: '1', vetoSlippageC: '3', maxBookAgeS: '60' };
const TOKEN = '12345678901234567890123';

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

  it('names a token by both its ends, and its outcome needs no choice', () => {
    expect(wordsOf({ market: TOKEN, side: 'SELL' })).to.equal('Sell the outcome of token 123456…890123 for 100 USD');
  });

  it('names the market of an address', () => {
    const event = 'https://polymarket.com/event/an-event';
    expect(wordsOf({ market: event, outcome: 'No', name: 'Ada' })).to.include('in an-event');
    expect(wordsOf({ market: `${event}/a-market`, outcome: 'No' })).to.include('in a-market');
  });

  it('is answered about another outcome if its Yes or No came back as a name', () => {
    expect(isAnotherOutcome({ outcome: 'No' }, 'Novak')).to.equal(true);
    expect(isAnotherOutcome({ outcome: 'Ada: No' }, 'Yes')).to.equal(true);
    expect(isAnotherOutcome({ outcome: 'Ada: No' }, 'No')).to.equal(false);
    expect(isAnotherOutcome({ outcome: 'Riverton' }, 'Riverton Royals')).to.equal(false);
    expect(isAnotherOutcome({}, 'Yes')).to.equal(false);
  });
});
