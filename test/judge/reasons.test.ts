import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { OrderVerdictSchema } from '#api/order-verdict';
import { REASON_CODES } from '#domain/order/reasons';
import { verdictDefinition } from '#machines/verdict.machine';
import { ROOT } from '#test/support/source-tree';

/** The words of one reason on each page, in the row of its verdict. */
interface Words {
  readonly readme: string;
  readonly interface: string;
  /** null: the front page names the usual reasons only. */
  readonly page: string | null;
}

const WORDS: Readonly<Record<string, Words>> = {
  MARKET_CLOSED: { readme: 'the market is closed', interface: 'the market is closed', page: 'takes no orders' },
  UNDER_RESOLUTION: { readme: 'under resolution', interface: 'under resolution', page: 'takes no orders' },
  NOT_ACCEPTING_ORDERS: { readme: 'takes no orders', interface: 'not accepting orders', page: 'takes no orders' },
  NO_BOOK: { readme: 'there is no book', interface: 'has no book', page: null },
  BOOK_STALE: { readme: 'older than 60 s', interface: 'book age', page: 'a book not confirmed for' },
  BOOK_CROSSED: { readme: 'crossed', interface: 'the book is crossed', page: null },
  SIDE_EMPTY: { readme: 'a side is empty', interface: 'is empty', page: null },
  BEYOND_DEPTH: {
    readme: 'exceeds the depth',
    interface: 'larger than the visible depth',
    page: 'more than the book holds',
  },
  SLIPPAGE_VETO: { readme: 'slippage is 3 cents', interface: 'slippage', page: 'cents of slippage or more' },
  BELOW_MINIMUM_NOTIONAL: { readme: 'a BUY is below 1 USD', interface: 'a BUY below 1 USD', page: null },
  GAME_OVER: { readme: 'a game that was due', interface: 'was due more than 48 h ago', page: 'was due more than' },
  SLIPPAGE_CAUTION: { readme: 'slippage is above 1 cent', interface: 'slippage', page: 'More slippage than that' },
  DEPTH_CAUTION: {
    readme: 'a quarter of the visible depth',
    interface: '25 % of visible depth',
    page: "of the book's depth",
  },
  PRICE_EXTREME: { readme: '0.97 or 0.03', interface: 'best price at 0.97', page: 'a best price of' },
};

const { CHECKING: _, ...states } = verdictDefinition.states;
const reasons = Object.entries(states).map(([code, { tags }]) => ({ code, verdict: tags }));
/**
 * A remark changes no verdict, so that no table of verdicts has it; nor what only evidence of the
 * first rules has.
 */
const judged = reasons.filter(({ code, verdict }) => verdict !== 'OK' && code !== 'BELOW_MINIMUM_SHARES');

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** The rows of a verdict in the Markdown tables of a page. */
const rowsOf = (path: string, verdict: string) =>
  read(path)
    .split('\n')
    .filter((line) => line.startsWith(`| ${verdict} |`))
    .join('\n');
/** What stands from the word of a verdict to the next. */
const pageWords = (verdict: string) =>
  read('src/page/parts/landing/verdict-words.tsx')
    .split("verdict: '")
    .find((part) => part.startsWith(`${verdict}'`))!;

/**
 * Returns the codes whose words do not stand where they should; those without any words are
 * missing, too.
 */
function missing(page: keyof Words, textOf: (verdict: string) => string): readonly string[] {
  return judged
    .filter(({ code, verdict }) => {
      const words = WORDS[code]?.[page];
      return words === undefined || (words !== null && !textOf(verdict).includes(words));
    })
    .map(({ code }) => code);
}

describe('every reason of the verdict machine', () => {
  it('has its words in the table of README.md', () => {
    expect(missing('readme', (verdict) => rowsOf('README.md', verdict))).to.deep.equal([]);
  });

  it('has a row in docs/interface.md, "Order verdict states"', () => {
    expect(missing('interface', (verdict) => rowsOf('docs/interface.md', verdict))).to.deep.equal([]);
  });

  it('has its words on the front page, or is left out there on purpose', () => {
    expect(missing('page', pageWords)).to.deep.equal([]);
  });

  it('has a row at its boundary in test/judge/assess.test.ts', () => {
    const rows = read('test/judge/assess.test.ts')
      .split("describe('thresholds, one row each'")[1]!
      .split('\n  });\n')[0]!;
    expect(reasons.map(({ code }) => code).filter((code) => !rows.includes(`'${code}'`))).to.deep.equal([]);
  });

  it('is still one where words are written down for it', () => {
    expect(judged.map(({ code }) => code)).to.have.members(Object.keys(WORDS));
  });
});

describe('the codes of reasons', () => {
  it('are one list: the states of the machine, the sentences, and what answers may carry', () => {
    expect(REASON_CODES).to.deep.equal(Object.keys(states));
    expect(OrderVerdictSchema.shape.reason_codes.element.options).to.deep.equal(Object.keys(states));
  });
});
