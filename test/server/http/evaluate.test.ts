import { expect } from 'chai';
import { ErrorBodySchema } from '#api/errors';
import { OrderVerdictSchema } from '#api/order-verdict';
import { type Door, openDoor } from './support/door.js';

const BOOK = { bids: [['0.47', '300']], asks: [['0.48', '250']] };

describe('POST /api/evaluate', () => {
  let door: Door;
  beforeEach(async () => {
    door = await openDoor();
  });
  afterEach(() => door.stop());

  const post = (body: string, headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' }) =>
    fetch(`${door.url}/api/evaluate`, { method: 'POST', headers, body });

  it('answers with a verdict to whoever asks, free, and asks the venue for nothing', async () => {
    const answer = await post(JSON.stringify({ book: BOOK, side: 'BUY', usd: 50 }));
    expect(answer.status).to.equal(200);
    const verdict = OrderVerdictSchema.parse(await answer.json());
    expect(verdict).to.include({ verdict: 'CAUTION' }).and.not.have.property('paid');
    expect(door.orders).to.deep.equal([]);
  });

  it('takes 60 evaluations a minute of an address, and then asks to wait', async () => {
    const body = JSON.stringify({ book: BOOK });
    for (let n = 0; n < 60; n++) expect((await post(body)).status).to.equal(200);
    const refused = await post(body);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).to.deep.equal([429, true]);
  });

  it('takes a book of 1,000 levels a side, and no body above 64 kB', async () => {
    const side = (from: number) => Array.from({ length: 1_000 }, (_, n) => [(from + n) / 1e4, 10]);
    const full = { book: { bids: side(1_000), asks: side(5_000) }, usd: 100 };
    expect(JSON.stringify(full).length).to.be.below(65_536);
    expect((await post(JSON.stringify(full))).status).to.equal(200);
    expect((await post(JSON.stringify({ ...full, pad: 'x'.repeat(65_536) }))).status).to.equal(413);
  });

  it('says what is wrong with anything else', async () => {
    for (const [body, status, says] of [
      ['{"usd":5}', 400, /book must be an object/],
      ['[1]', 400, /one JSON object/],
      ['{"book":', 400, /complete and well formed/],
      ['{"book":{"bids":[],"asks":[]},"fee":{"exponent":1}}', 400, /^fee\.rate must be a number from 0 to 1$/],
      ['{"book":{"bids":[],"asks":[]},"fee":{"rate":2}}', 400, /^fee\.rate must be a number from 0 to 1$/],
      ['{"book":{"bids":[],"asks":[]},"age_s":-1}', 400, /^age_s must be a number from 0 to 34560000$/],
      ['{"book":{"bids":[],"asks":[]},"rechecked":"true"}', 400, /^rechecked must be true or false$/],
      ['{"usd":40000,"max_slippage_c":0.5,"max_slippage_c":99}', 400, /has the name \\?"max_slippage_c\\?" twice/],
      ['{"book":{"bids":[],"asks":[],"bids":[]}}', 400, /has the name \\?"bids\\?" twice/],
      ['\ufeff{"book":{"bids":[],"asks":[]},"usd":1,"usd":40000}', 400, /has the name \\?"usd\\?" twice/],
      ['', 400, /send a JSON body/],
    ] as const) {
      const answer = await post(body);
      expect(answer.status, body).to.equal(status);
      expect(ErrorBodySchema.parse(await answer.json()).error).to.match(says);
    }
    expect((await post('{}', { 'content-type': 'text/plain' })).status).to.equal(415);
  });
});
