import { expect } from 'chai';
import { ErrorBodySchema } from '#api/errors';
import { PaymentRequiredBodySchema } from '#api/payment-required';
import { CONSTANT_ANSWER, type Door, openDoor } from './support/door.js';

/** A query that is refused, and what its message must name. */
const refused: readonly [query: string, names: string][] = [
  ['usd=10', 'slug'],
  ['slug=a&token_id=1', 'either slug or token_id'],
  ['slug=', 'slug must not be empty'],
  [`slug=${'a'.repeat(513)}`, 'slug must be at most'],
  [`slug=${'a'.repeat(7_000)}`, 'slug must be at most'],
  ['slug=a&slug=b', 'slug must be one string: give one value, not several'],
  ['slug=a&outcome=', 'outcome must not be empty'],
  ['slug=a&outcome=%E2%80%8B', 'outcome must not be empty: nothing in it can be seen'],
  ['slug=a&outcome=%E2%80%AE%EF%BB%BF', 'outcome must not be empty: nothing in it can be seen'],
  ['token_id=1&outcome=%C2%AD', 'outcome must not be empty: nothing in it can be seen'],
  [`slug=a${'&'.repeat(1_000)}usd=0`, 'usd must be greater than 0'],
  [`slug=a${'&'.repeat(1_000)}size=5`, 'unknown parameter "size"'],
  ['slug=a&outcome=x&outcome=y', 'outcome must be one string: give one value, not several'],
  ['token_id=abc', 'token_id'],
  ['token_id=-1', 'token_id'],
  [`token_id=${'1'.repeat(79)}`, 'token_id'],
  ['slug=a&side=hold', 'side must be BUY or SELL'],
  ['slug=a&side=', 'side'],
  ['slug=a&side=HOLD', 'side'],
  ['slug=a&usd=5&usd=6', 'usd must be a number: give one value, not several'],
  ['slug=a&usd=0', 'usd must be greater than 0'],
  ['slug=a&usd=-5', 'usd must be greater than 0'],
  ['slug=a&usd=-0', 'usd must be greater than 0'],
  ['slug=a&usd=1e309', 'usd must be a finite number'],
  ['slug=a&usd=Infinity', 'usd must be a number'],
  ['slug=a&usd=NaN', 'usd must be a number'],
  ['slug=a&usd=abc', 'usd must be a number'],
  ['slug=a&usd=', 'usd must be a number'],
  ['slug=a&usd=0x10', 'usd must be a number'],
  ['slug=a&usd=1%202', 'usd must be a number'],
  ['slug=a&usd=10000000.01', 'usd must be at most'],
  ['slug=a&usd[]=1', 'unknown parameter "usd[]"'],
  ['slug=a&max_slippage_c=-1', 'max_slippage_c'],
  ['slug=a&max_slippage_c=101', 'max_slippage_c'],
  ['slug=a&max_slippage_c=x', 'max_slippage_c'],
  ['slug=a&veto_slippage_c=0.5', 'veto_slippage_c (0.5) must not be below max_slippage_c (1)'],
  ['slug=a&veto_slippage_c=', 'veto_slippage_c'],
  ['slug=a&max_book_age_s=0', 'max_book_age_s'],
  ['slug=a&max_book_age_s=86401', 'max_book_age_s'],
  ['slug=a&plan=2', 'plan must be true or 1'],
  ['slug=a&plan=1&plan=1', 'plan must be true or 1, or left out: give one value, not several'],
  ['slug=a&exit=2', 'exit must be true or 1'],
  ['slug=a&limit_price=0', 'limit_price must be above 0 and below 1'],
  ['slug=a&limit_price=1', 'limit_price must be above 0 and below 1'],
  ['slug=a&limit_price=0.42005', 'limit_price must have at most 4 decimals'],
  ['slug=a&limit_price=x', 'limit_price must be a number'],
  ['slug=a&post_only=1', 'post_only needs limit_price'],
  ['slug=a&size=5', 'unknown parameter "size"'],
  ['slug=a&__proto__=1', 'unknown parameter "__proto__"'],
  ['slug=a&constructor=1', 'unknown parameter "constructor"'],
  ['slug=a&SANDBOX=1', 'unknown parameter "SANDBOX"'],
];

describe('parameters of preflight_trade', () => {
  let door: Door;
  before(async () => {
    door = await openDoor();
  });
  after(() => door.stop());

  const postOrder = (body: string, query = '') =>
    fetch(`${door.url}/api/preflight_trade${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${door.token}`, 'Content-Type': 'application/json' },
      body,
    });

  async function expectRefusal(response: Response, names: string) {
    expect(response.status).to.equal(400);
    const { code, error } = ErrorBodySchema.parse(await response.json());
    expect(code).to.equal('invalid_parameter');
    expect(error).to.include(names);
  }

  for (const [query, names] of refused) {
    it(`refuses ?${query.slice(0, 60)}`, async () => expectRefusal(await door.order(query), names));
  }

  it('refuses the same things in a body', async () => {
    await expectRefusal(await postOrder('{"slug":"a","usd":0}'), 'usd must be greater than 0');
    await expectRefusal(await postOrder('{"slug":"a","usd":1e309}'), 'usd must be a');
    await expectRefusal(await postOrder('{"slug":"a","usd":[1,2]}'), 'usd must be a number');
    await expectRefusal(await postOrder('{"slug":null,"usd":5}'), 'slug');
    await expectRefusal(await postOrder('{"slug":"a","evidence":"yes"}'), 'evidence must be true or 1');
    await expectRefusal(await postOrder('{"slug":"a","evidence":2}'), 'evidence must be true or 1');
    await expectRefusal(await postOrder('{"slug":"a","plan":"yes"}'), 'plan must be true or 1');
    await expectRefusal(await postOrder('{"slug":"a","plan":0}'), 'plan must be true or 1');
    await expectRefusal(await postOrder('{"slug":{"$ne":1}}'), 'slug must be one string');
    await expectRefusal(await postOrder('{"token_id":12}'), 'token_id must be');
    await expectRefusal(await postOrder('{"slug":"a","__proto__":{"usd":5}}'), 'unknown parameter "__proto__"');
    await expectRefusal(
      await postOrder('{"slug":"a","constructor":{"prototype":{}}}'),
      'unknown parameter "constructor"',
    );
    await expectRefusal(await postOrder('{}'), 'slug');
  });

  it('refuses parameters of a POST in the query, and a POST without a body', async () => {
    await expectRefusal(await postOrder('{"slug":"a"}', '?usd=5'), 'go into its JSON body');
    const bare = await fetch(`${door.url}/api/preflight_trade`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${door.token}` },
    });
    await expectRefusal(bare, 'needs a JSON body');
  });

  it('tells all that is wrong at once, and repeats little of what was sent', async () => {
    const response = await door.order(`slug=a&usd=0&side=x&${'k'.repeat(3_000)}=1&b=1&c=1&d=1&e=1`);
    const { error } = (await response.json()) as { error: string };
    expect(error).to.include('usd must be').and.to.include('side must be').and.to.include('and 2 more');
    expect(error.length).to.be.below(400);
  });

  it('charged nobody and ran nothing for all of these', async () => {
    expect(door.orders).to.deep.equal([]);
    const response = await door.order('slug=a');
    expect(await response.json()).to.deep.equal({
      ...CONSTANT_ANSWER,
      paid: { credits_used: 1, credits_remaining: 499 },
    });
  });

  it('takes a side in any case and a number in any form, as they are', async () => {
    expect((await door.order('slug=a&side=Sell&usd=1e3')).status).to.equal(200);
    expect(door.orders.at(-1)).to.deep.include({ side: 'SELL', usd: 1_000 });
  });

  it('takes values with the blanks that come with copying, around them only', async () => {
    expect((await door.order('token_id=%2012%0A&side=buy%20&usd=%20250%20&max_slippage_c=2%09')).status).to.equal(200);
    expect(door.orders.at(-1)).to.deep.include({ token_id: '12', side: 'BUY', usd: 250, max_slippage_c: 2 });
  });

  it('fills the defaults in, and takes a number in any decimal spelling', async () => {
    const before = door.orders.length;
    await door.order('slug=a&usd=2.50e1&outcome=%20Yes%20');
    await postOrder('{"slug":"a","usd":25,"outcome":"Yes"}');
    const expected = {
      slug: 'a',
      outcome: 'Yes',
      side: 'BUY',
      usd: 25,
      max_slippage_c: 1,
      veto_slippage_c: 3,
      max_book_age_s: 60,
    };
    expect(door.orders.slice(before)).to.deep.equal([expected, expected]);
  });

  it('takes null for what is left out, in the body of a POST', async () => {
    const before = door.orders.length;
    await postOrder('{"slug":"a"}');
    await postOrder('{"slug":"a","outcome":null,"token_id":null,"side":null,"usd":null,"max_slippage_c":null}');
    await postOrder('{"slug":"a","veto_slippage_c":null,"evidence":null,"sandbox":null,"x402_probe":null}');
    const [left, ...nulls] = door.orders.slice(before);
    expect(nulls).to.deep.equal([left, left]);
  });

  for (const name of ['evidence', 'plan'] as const) {
    it(`takes ${name} as a truth value and as 1, and false for what is left out`, async () => {
      const before = door.orders.length;
      for (const value of ['true', '1', '"1"', '"true"']) await postOrder(`{"slug":"a","${name}":${value}}`);
      for (const value of ['true', '1']) await door.order(`slug=a&${name}=${value}`);
      for (const value of ['false', 'null']) await postOrder(`{"slug":"a","${name}":${value}}`);
      const asked = door.orders.slice(before).map((order) => order[name]);
      expect(asked).to.deep.equal([1, 1, 1, 1, 1, 1, undefined, undefined]);
    });
  }

  it('lets the veto follow a caution that is raised alone, and never against its bound', async () => {
    const before = door.orders.length;
    for (const query of ['max_slippage_c=5', 'max_slippage_c=2', 'max_slippage_c=5&veto_slippage_c=9']) {
      await door.order(`slug=a&${query}`);
    }
    await postOrder('{"slug":"a","max_slippage_c":5}');
    const thresholds = door.orders.slice(before).map((order) => [order.max_slippage_c, order.veto_slippage_c]);
    expect(thresholds).to.deep.equal([
      [5, 5],
      [2, 3],
      [5, 9],
      [5, 5],
    ]);
  });

  it('tells whoever has not paid yet what would be refused, beside the same terms', async () => {
    const demandFor = async (query: string) => {
      const response = await fetch(`${door.url}/api/preflight_trade?${query}`);
      expect(response.status).to.equal(402);
      return PaymentRequiredBodySchema.parse(await response.json());
    };
    const { fault, error, ...terms } = await demandFor('slug=a&usd=1,000');
    expect(fault).to.deep.include({ code: 'invalid_parameter' });
    expect(fault?.error).to.include('usd must be a number');
    expect(error).to.include('Correct it before you pay').and.to.include('usd must be a number');
    const { error: _, ...plain } = await demandFor('slug=a&usd=1000');
    expect(plain).to.deep.equal(terms);
    expect(await demandFor('')).to.not.have.property('fault');
  });

  describe('free switches', () => {
    it('refuses any value but 1, also without a token', async () => {
      for (const query of [
        'sandbox=2',
        'sandbox=0',
        'sandbox=true',
        'sandbox=',
        'sandbox=1&sandbox=1',
        'x402_probe=yes',
      ]) {
        await expectRefusal(await door.order(`slug=a&${query}`), 'must be 1');
        await expectRefusal(await fetch(`${door.url}/api/preflight_trade?${query}`), 'must be 1');
      }
      await expectRefusal(await postOrder('{"slug":"a","sandbox":true}'), 'must be 1');
      await expectRefusal(await postOrder('{"slug":"a","x402_probe":"01"}'), 'must be 1');
    });

    it('takes them in the query or in the body of a POST, as a number or as text', async () => {
      for (const [body, query] of [
        ['{"sandbox":1}', ''],
        ['{"sandbox":"1"}', ''],
        ['{"slug":"a"}', '?sandbox=1'],
        ['{"sandbox":2}', '?sandbox=1'],
      ] as const) {
        expect(await (await postOrder(body, query)).json(), body + query).to.include({ sandbox: true });
      }
      expect((await postOrder('{"x402_probe":1}')).status).to.equal(402);
      expect((await postOrder('{}', '?x402_probe=1')).status).to.equal(402);
      expect((await postOrder('{"usd":', '?x402_probe=1')).status).to.equal(402);
    });

    it('answers sandbox=1 with the same bytes whatever else is in the request, and free', async () => {
      const { balance } = await door.credits.balanceOf((await door.credits.authenticate(door.token))!);
      const bodies = new Set<string>();
      for (const query of [
        'sandbox=1',
        'sandbox=1&usd=-1&usd=x&foo=bar',
        'sandbox=1&x402_probe=9',
        'x402_probe=1&sandbox=1',
      ]) {
        const response = await door.order(query, { 'X-PAYMENT': 'garbage', 'Idempotency-Key': '' });
        expect(response.status).to.equal(200);
        bodies.add(await response.text());
        bodies.add(await (await fetch(`${door.url}/api/preflight_trade?${query}`)).text());
      }
      bodies.add(await (await postOrder('{"usd":', '?sandbox=1')).text());
      expect(bodies.size).to.equal(1);
      expect(await door.credits.balanceOf((await door.credits.authenticate(door.token))!)).to.include({ balance });
    });
  });
});
