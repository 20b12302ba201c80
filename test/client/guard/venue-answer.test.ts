import { expect } from 'chai';
import { readVenueAnswer } from '#client/guard/clients/venue-answer';

describe('what the venue answers to an order', () => {
  for (const [body, kind] of [
    [{ success: true, orderID: '0x1', errorMsg: '' }, 'accepted'],
    [{ success: true, orderID: '0x1', errorMsg: '', error: '' }, 'accepted'],
    [{ success: true, orderID: '0x1', errorMsg: null, error: null }, 'accepted'],
    [{ success: true, orderId: '0x1' }, 'accepted'],
    [{ success: true, orderID: '', errorMsg: 'not enough balance / allowance', error: null }, 'rejected'],
    [{ success: false, errorMsg: '', error: '' }, 'rejected'],
    [{ error: 'not enough balance / allowance', status: 400 }, 'rejected'],
    [{ error: '', status: 400 }, 'unknown'],
    [{ error: null }, 'unknown'],
  ] as const) {
    it(`is ${kind}: ${JSON.stringify(body)}`, () => expect(readVenueAnswer(body).kind).to.equal(kind));
  }
});
