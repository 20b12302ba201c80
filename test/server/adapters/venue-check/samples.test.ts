import { expect } from 'chai';
import fc from 'fast-check';
import { SAMPLE_BYTES_MAX } from '#adapters/venue-check/limits';
import { Samples } from '#adapters/venue-check/samples';

const WALLET = `0x${'aB'.repeat(20)}`;
const OTHER = `0x${'cd'.repeat(20)}`;
const CONDITION = `0x${'ef'.repeat(32)}`;

function kept(body: unknown, path = '/'): string {
  const samples = new Samples();
  samples.keep('one', { asked: path }, { status: 200, body, text: 'the same as text' });
  return samples.written()[0]!.text;
}

describe('samples of what the venue answers', () => {
  it('name nobody: wallets, names and transactions are masked, one wallet by one mask', () => {
    const row = {
      proxyWallet: WALLET,
      name: 'Ada',
      pseudonym: 'Brave-Otter',
      bio: 'hello',
      transactionHash: CONDITION,
    };
    const text = kept([row, { ...row, proxyWallet: OTHER }, row], `data /activity?user=${WALLET}&limit=1`);
    const { asked, answer } = JSON.parse(text);
    expect(text).not.to.match(/Ada|Otter|hello|aBaB|cdcd|efef/);
    const wallets = answer.body.map(({ proxyWallet }: { proxyWallet: string }) => proxyWallet);
    expect(wallets[0])
      .to.equal(wallets[2])
      .and.match(/^0x[0-9]{40}$/);
    expect(wallets[1]).not.to.equal(wallets[0]);
    expect(asked).to.equal(`data /activity?user=${wallets[0]}&limit=1`);
  });

  it('keep what names a market, and of which type each field is', () => {
    const body = { conditionId: CONDITION, closed: false, rate: 0.05, note: null, clobTokenIds: '["1", "2"]' };
    expect(JSON.parse(kept(body)).answer).to.deep.equal({ status: 200, body });
  });

  it('keep a text that is no JSON', () => {
    const samples = new Samples();
    samples.keep('one', { asked: '/' }, { status: 403, body: undefined, text: '<html>' });
    expect(JSON.parse(samples.written()[0]!.text).answer).to.deep.equal({ status: 403, text: '<html>' });
  });

  it('are at most three of a kind', () => {
    const samples = new Samples();
    for (let n = 0; n < 5; n++) samples.keep('terms', {}, { n });
    expect(samples.written().map(({ name }) => name)).to.deep.equal(['terms', 'terms-2', 'terms-3']);
  });

  it('are JSON of at most so many bytes, whatever comes', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'large' },
        fc.string({ maxLength: 3_000, unit: 'grapheme' }),
        fc.double(),
        fc.array(tie('any'), { maxLength: 60 }),
        fc.dictionary(fc.string(), tie('any'), { maxKeys: 40 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (body) => {
        const text = kept(body);
        JSON.parse(text);
        return Buffer.byteLength(text) <= SAMPLE_BYTES_MAX;
      }),
      { numRuns: 60 },
    );
  });
});
