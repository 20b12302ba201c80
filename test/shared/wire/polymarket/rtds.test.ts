import { expect } from 'chai';
import { rowV1, tradeNumber } from '#test/support/trade-rows';
import { parseRtdsFrame, RTDS_SUBSCRIBE } from '#wire/polymarket/rtds';

const TRADE = tradeNumber(5, 1_780_000_000);
const frame = (fields: object = {}) =>
  JSON.stringify({
    topic: 'activity',
    type: 'trades',
    timestamp: 1,
    connection_id: 'x',
    payload: rowV1(TRADE),
    ...fields,
  });

describe('a frame of the live trade feed', () => {
  it('is a trade with the fields of the first version', () => {
    expect(parseRtdsFrame(frame())).to.deep.equal({ kind: 'trade', fill: TRADE });
  });

  it('is something else where it is PONG, empty, or of another topic', () => {
    for (const text of ['PONG', '', ' ', frame({ topic: 'comments' }), frame({ type: 'orders_matched' }), '[]', '7']) {
      expect(parseRtdsFrame(text).kind, text).to.equal('other');
    }
  });

  it('is unreadable where it is torn', () => {
    for (const text of [
      frame().slice(0, -9),
      frame({ payload: null }),
      frame({ payload: { ...rowV1(TRADE), price: 2 } }),
    ]) {
      expect(parseRtdsFrame(text).kind, text).to.equal('unreadable');
    }
  });

  it('comes only after a subscription that has an action', () => {
    expect(JSON.parse(RTDS_SUBSCRIBE)).to.deep.equal({
      action: 'subscribe',
      subscriptions: [{ topic: 'activity', type: 'trades' }],
    });
  });
});
