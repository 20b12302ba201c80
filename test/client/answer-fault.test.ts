import { expect } from 'chai';
import { OPERATIONS } from '#api/operations';
import { answerFault } from '#client/calls/answer-fault';

const TOKEN_ID = '15857172719486829561201477360755193190027317621472513757064773604341853036091';

/** Spellings of one order that the service takes, as programs and models write them. */
const SPELLINGS = {
  side: ['SELL', 'sell', 'Sell ', ' sell', '\tSELL\n'],
  usd: [250, '250', ' 250 ', '+250', '2.5e2', '250.0'],
  token_id: [TOKEN_ID, ` ${TOKEN_ID}\n`],
};

describe('what came with status 200', () => {
  for (const [name, spellings] of Object.entries(SPELLINGS)) {
    for (const spelling of spellings) {
      it(`is the answer to an order whose ${name} is written ${JSON.stringify(spelling).slice(0, 12)}`, () => {
        const args = { side: 'SELL', usd: 250, token_id: TOKEN_ID, [name]: spelling };
        const parsed = OPERATIONS.preflight_trade.parse(args);
        if (parsed.kind !== 'parsed') expect.fail(parsed.message);
        const { side, usd, token_id } = parsed.args;
        const body = { ok: true, verdict: 'OK', order: { side, usd }, market: { token_id } };
        expect(answerFault('preflight_trade', args, body)).to.equal(null);
      });
    }
  }

  for (const other of [{ side: 'BUY' }, { usd: 251 }, { token_id: '7' }]) {
    it(`is no answer to an order of another ${Object.keys(other)[0]}`, () => {
      const args = { side: ' sell', usd: 250, token_id: TOKEN_ID };
      const { side, usd, token_id } = { side: 'SELL', usd: 250, token_id: TOKEN_ID, ...other };
      const body = { ok: true, verdict: 'OK', order: { side, usd }, market: { token_id } };
      expect(answerFault('preflight_trade', args, body)).to.equal('a verdict on another order');
    });
  }
});
