import { expect } from 'chai';
import { OPERATIONS } from '#api/operations';

const LOWER = `0x${'ab12'.repeat(10)}`;
const UPPER = `0x${'AB12'.repeat(10)}`;
const OTHER = `0x${'cd34'.repeat(10)}`;
const { parse } = OPERATIONS.preflight_copy;

const understood: readonly [title: string, raw: object][] = [
  ['a lower-case address', { wallet: LOWER }],
  ['an upper-case address', { wallet: UPPER }],
  ['an address in mixed case', { wallet: `0x${'aB12'.repeat(10)}` }],
  ['the alias', { user: UPPER }],
  ['both names with the same address in two spellings', { wallet: LOWER, user: UPPER }],
];

const refused: readonly [title: string, raw: object, says: string][] = [
  ['nothing', {}, 'give wallet'],
  ['an empty wallet', { wallet: '' }, 'wallet must be one EVM address'],
  ['a username', { wallet: 'somebody' }, 'user names are not accepted'],
  ['a username behind the alias', { user: '@somebody' }, 'user must be one EVM address'],
  ['an address without 0x', { wallet: LOWER.slice(2) }, '40 hexadecimal digits'],
  ['an address with 0X', { wallet: LOWER.replace('0x', '0X') }, '40 hexadecimal digits'],
  ['39 digits', { wallet: LOWER.slice(0, -1) }, '40 hexadecimal digits'],
  ['41 digits', { wallet: `${LOWER}0` }, '40 hexadecimal digits'],
  ['a letter that is no digit', { wallet: LOWER.replace('a', 'g') }, '40 hexadecimal digits'],
  ['an address with a line end', { wallet: `${LOWER}\n` }, '40 hexadecimal digits'],
  ['a name of the chain', { wallet: 'somebody.eth' }, 'Names are not looked up here'],
  ['wallet twice', { wallet: [LOWER, LOWER] }, 'wallet must be one EVM address'],
  ['a number', { wallet: 1 }, 'wallet must be one EVM address'],
  ['two wallets', { wallet: LOWER, user: OTHER }, 'name different addresses'],
  ['a good wallet and a faulty alias', { wallet: LOWER, user: 'somebody' }, 'user must be one EVM address'],
  ['a size', { wallet: LOWER, usd: '5' }, 'unknown parameter "usd"'],
  ['a delay', { wallet: LOWER, delay_s: '60' }, 'unknown parameter "delay_s"'],
];

describe('parameters of preflight_copy', () => {
  for (const [title, raw] of understood) {
    it(`understands ${title} as the one wallet`, () => {
      expect(parse(raw)).to.deep.equal({ kind: 'parsed', args: { wallet: LOWER } });
    });
  }

  for (const [title, raw, says] of refused) {
    it(`refuses ${title}`, () => {
      const parsed = parse(raw);
      expect(parsed.kind).to.equal('invalid');
      expect(parsed).to.have.property('message').that.includes(says);
    });
  }
});

describe('parameters of the lists', () => {
  for (const tool of ['leaderboard', 'red_list'] as const) {
    it(`${tool} takes none`, () => {
      expect(OPERATIONS[tool].parse({})).to.deep.equal({ kind: 'parsed', args: {} });
      expect(OPERATIONS[tool].parse({ limit: '5' }))
        .to.have.property('message')
        .that.includes('unknown parameter "limit"');
    });
  }
});
