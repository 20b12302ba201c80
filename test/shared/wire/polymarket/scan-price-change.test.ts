import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import type { MarketFrame } from '#domain/book/book';
import { readRecording } from '#local/venue/recording/recording';
import { capture, recordedGames } from '#test/support/captures';
import { PROPERTY_RUNS } from '#test/support/size';
import { walkBooks } from '#tools/bench/support/book-walk';
import { parseMarketFrame } from '#wire/polymarket/market-channel';
import { PriceChangeScanner } from '#wire/polymarket/scan-price-change';

const RUNS = Math.ceil(PROPERTY_RUNS / 3);
const YES = '8501497159083948713316135768103773293754490207922884688769443031624417212426';

const change = (facts: Record<string, unknown> = {}) => ({
  asset_id: YES,
  price: '0.495',
  size: '7.25',
  side: 'BUY',
  hash: '0f4d2f3d5c1c6f7f0d7e6c4b2a190817263544f3',
  best_bid: '0.49',
  best_ask: '0.51',
  ...facts,
});
const frame = (facts: Record<string, unknown> = {}) => ({
  market: `0x${'0b'.repeat(32)}`,
  price_changes: [change(), change({ side: 'SELL', price: '.505', size: '0' })],
  timestamp: '1785130185252',
  event_type: 'price_change',
  ...facts,
});

const SCANNER = new PriceChangeScanner();
const scan = (text: string) => SCANNER.scan(Buffer.from(text));

/** A frame in a layout that was seen: `size` before `side` or behind it, with blanks or without. */
function inLayout(text: string, sideFirst: boolean, blanks: boolean): string {
  const ordered = sideFirst ? text.replace(/("size":"[^"]*"),("side":"[^"]*")/g, '$2,$1') : text;
  return blanks ? ordered.replace(/(":|",|\},|\],)/g, '$1 ') : ordered;
}
const LAYOUTS = [false, true].flatMap((sideFirst) => [false, true].map((blanks) => ({ sideFirst, blanks })));

/** What the parser of all frames makes of it, as the scanner would show it. */
const parsed = (text: string) => ({ ...parseMarketFrame(text), isScanned: true });

describe('a price change that is read off its bytes', () => {
  it('is what the parser of all frames makes of it', () => {
    const text = JSON.stringify(frame());
    expect(scan(text)).to.deep.equal(parsed(text));
    expect(scan(text)!.events[0]).to.deep.include({ kind: 'price_change', timestampMs: 1_785_130_185_252 });
  });

  it('may have its keys in any order, blanks anywhere, and no hash', () => {
    const { hash: _, ...bare } = change();
    const reordered = {
      event_type: 'price_change',
      timestamp: '1',
      price_changes: [bare, change({ hash: '' })],
      market: 'm',
    };
    for (const text of [
      JSON.stringify(reordered),
      JSON.stringify(reordered, null, 2),
      ` ${JSON.stringify(frame(), null, '\t')}\r\n`,
    ]) {
      expect(scan(text), text).to.deep.equal(parsed(text));
    }
  });

  for (const [title, text] of [
    ['another kind of event', JSON.stringify(frame({ event_type: 'book' }))],
    ['no kind', JSON.stringify({ ...frame(), event_type: undefined })],
    ['a key that we do not know', JSON.stringify(frame({ more: '1' }))],
    ['an unknown key in a change', JSON.stringify(frame({ price_changes: [change({ more: '1' })] }))],
    ['a key that comes twice', JSON.stringify(frame()).replace('"market"', '"market":"0x","market"')],
    ['a change without its side', JSON.stringify(frame({ price_changes: [change({ side: undefined })] }))],
    ['a side that is none', JSON.stringify(frame({ price_changes: [change({ side: 'HOLD' })] }))],
    ['a price of a dollar', JSON.stringify(frame({ price_changes: [change({ price: '1' })] }))],
    ['a price of nothing', JSON.stringify(frame({ price_changes: [change({ price: '0.000' })] }))],
    ['a number where a text belongs', JSON.stringify(frame({ timestamp: 1 }))],
    ['a time that is no number of digits', JSON.stringify(frame({ timestamp: '1e3' }))],
    ['a time with a dot', JSON.stringify(frame({ timestamp: '123.456789012' }))],
    ['an escape', JSON.stringify(frame()).replace('BUY', 'B\\u0055Y')],
    ['a letter beyond ASCII', JSON.stringify(frame({ market: 'ü' }))],
    ['no changes', JSON.stringify(frame({ price_changes: [] }))],
    ['a list of frames', JSON.stringify([frame()])],
    ['a comma too many', JSON.stringify(frame()).replace(']', ',]')],
    ['more behind its end', `${JSON.stringify(frame())}{}`],
    ['an end that is missing', JSON.stringify(frame()).slice(0, -1)],
    ['nothing', ''],
  ] as const) {
    it(`is left to the parser of all frames when it has ${title}`, () => {
      expect(scan(text)).to.equal(null);
    });
  }

  it('is, of generated frames, never read otherwise than the parser reads it', () => {
    const decimal = fc.oneof(
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `${a % 100}.${b}`),
      fc.constantFrom(
        '0',
        '.5',
        '0.',
        '.',
        '',
        '0.4999',
        '0.49990',
        '0.00001',
        '00.5',
        '1e2',
        '-0.5',
        '123456789012345.6',
      ),
    );
    const oneChange = fc.record(
      {
        asset_id: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n }).map(String), fc.constantFrom('', '007', 'x')),
        price: decimal,
        size: decimal,
        side: fc.constantFrom('BUY', 'SELL', 'buy'),
        hash: fc.oneof(fc.string(), fc.constant('0f')),
        best_bid: decimal,
      },
      { requiredKeys: ['asset_id', 'price'] },
    );
    const anyFrame = fc.record(
      {
        market: fc.constantFrom('0xab', ''),
        price_changes: fc.array(oneChange, { maxLength: 3 }),
        timestamp: fc.oneof(fc.nat().map(String), fc.constantFrom('', '01', '9007199254740993', '1 ')),
        event_type: fc.constantFrom('price_change', 'price_chang'),
      },
      { requiredKeys: ['price_changes'] },
    );
    fc.assert(
      fc.property(anyFrame, fc.constantFrom(undefined, 1), (raw, blanks) => {
        const text = JSON.stringify(raw, null, blanks);
        expectNotOtherwise(Buffer.from(text));
      }),
      { numRuns: RUNS },
    );
  });

  it('is, with any bytes changed, never read otherwise than the parser reads it', () => {
    const { frames } = walkBooks(4, 50);
    const edit = fc.record({
      at: fc.nat(1_000),
      byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('"{}[]:,.0 \\'))),
      cut: fc.boolean(),
    });
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.nat(49), fc.constantFrom(...LAYOUTS), edits, (no, { sideFirst, blanks }, all) => {
        let bytes = Buffer.from(inLayout(frames[no]!, sideFirst, blanks));
        for (const { at, byte, cut } of all) {
          if (cut) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
          else if (at < bytes.length) bytes[at] = byte;
        }
        expectNotOtherwise(bytes);
      }),
      { numRuns: RUNS },
    );
  });

  it('is, with decimals and times of any kind, never read otherwise in the layouts that were seen', () => {
    const decimal = fc
      .tuple(
        fc.stringMatching(/^[0-9]{0,12}$/),
        fc.constantFrom('', '.', '..', '.-'),
        fc.stringMatching(/^[0-9]{0,9}$/),
      )
      .map((parts) => parts.join(''));
    const price = fc.oneof(decimal, fc.stringMatching(/^0?\.[0-9]{1,5}$/));
    const time = fc.oneof(fc.stringMatching(/^[0-9]{1,17}$/), decimal);
    fc.assert(
      fc.property(
        fc.constantFrom(...LAYOUTS),
        price,
        decimal,
        time,
        ({ sideFirst, blanks }, price, size, timestamp) => {
          const text = JSON.stringify(frame({ price_changes: [change({ price, size })], timestamp }));
          expectNotOtherwise(Buffer.from(inLayout(text, sideFirst, blanks)));
        },
      ),
      { numRuns: RUNS },
    );
  });

  for (const { sideFirst, blanks } of LAYOUTS) {
    const order = sideFirst ? 'the side before the size' : 'the size before the side';
    it(`is read with ${order}, and ${blanks ? 'with' : 'without'} blanks`, () => {
      const text = inLayout(JSON.stringify(frame()), sideFirst, blanks);
      expect(scan(text)).to.deep.equal(parsed(text)).and.not.equal(null);
    });
  }

  it('is never completed by what an earlier frame left behind', () => {
    const whole = Buffer.from(JSON.stringify(frame()));
    for (let length = 0; length < whole.length; length++) {
      expect(SCANNER.scan(whole)).to.not.equal(null);
      expect(SCANNER.scan(whole.subarray(0, length)), `${length} bytes`).to.equal(null);
    }
  });

  it('is left to the parser of all frames when it is too long to be copied', () => {
    const of = (count: number) =>
      JSON.stringify(frame({ price_changes: Array.from({ length: count }, () => change()) }));
    expect(scan(of(50))).to.deep.equal(parsed(of(50)));
    expect(scan(of(90))).to.equal(null);
  });

  it('is every one that the venue sends today, and of recorded games in all their orders of keys', async function () {
    const session = capture(this, 'ws-market', 'session_1785130179.2026-07-27.jsonl');
    for (const file of [...recordedGames(this).slice(0, 2), session]) {
      const { frames } = await readRecording(file);
      expectAllScanned(frames.map(({ text }) => text));
    }
  });
});

/** Nothing is scanned, or what the parser of all frames says. */
function expectNotOtherwise(bytes: Buffer): void {
  const frame = SCANNER.scan(bytes);
  if (frame !== null) expectEqual(frame, parsed(bytes.toString('utf8')));
}

/** Of frames of changes all are scanned, and equal what the parser says; of others none are. */
function expectAllScanned(texts: readonly string[]): void {
  let changes = 0;
  for (const text of texts) {
    const other = parsed(text);
    const isChange = other.events.length === 1 && other.events[0]!.kind === 'price_change';
    if (isChange) changes++;
    const frame = scan(text);
    expect(frame !== null, text).to.equal(isChange);
    if (frame !== null) expectEqual(frame, other);
  }
  expect(changes).to.be.above(0);
}

/** The library tells what differs, and takes a hundred times as long to see that nothing does. */
function expectEqual(frame: MarketFrame, other: MarketFrame): void {
  if (!isDeepStrictEqual(frame, other)) expect(frame).to.deep.equal(other);
}
