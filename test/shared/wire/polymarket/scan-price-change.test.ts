import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import type { LevelChange, MarketFrame } from '#domain/book/book';
import { hashText, PackedSha1 } from '#domain/book/sent-hash';
import { readRecording } from '#local/venue/recording/recording';
import { seededRandom } from '#local/venue/seeded-random';
import { walkBooks } from '#test/bench/support/book-walk';
import { capture, recordedGames } from '#test/support/captures';
import { PROPERTY_RUNS } from '#test/support/size';
import { parseMarketFrame } from '#wire/polymarket/market-channel';
import { AnyOrderScanner } from '#wire/polymarket/scan-any-order';
import { PriceChangeScanner } from '#wire/polymarket/scan-price-change';
import { UsualOrderScanner } from '#wire/polymarket/scan-usual-order';

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

interface Scanner {
  scan(bytes: Buffer): MarketFrame | null;
}
const scan = (text: string, scanner: Scanner = new PriceChangeScanner()) => scanned(scanner, Buffer.from(text));
/** The two that are tried one after the other, each alone, and together. */
const allScanners = (): Scanner[] => [new UsualOrderScanner(), new AnyOrderScanner(), new PriceChangeScanner()];

/** A frame in a layout that was seen: `size` before `side` or behind it, with blanks or without. */
function inLayout(text: string, sideFirst: boolean, blanks: boolean): string {
  const ordered = sideFirst ? text.replace(/("size":"[^"]*"),("side":"[^"]*")/g, '$2,$1') : text;
  return blanks ? ordered.replace(/(":|",|\},|\],)/g, '$1 ') : ordered;
}
const LAYOUTS = [false, true].flatMap((sideFirst) => [false, true].map((blanks) => ({ sideFirst, blanks })));

/** What a scanner makes of a frame, in the form of the parser: with hashes as text, and without tokens it knows. */
function scanned(scanner: Scanner, bytes: Buffer): MarketFrame | null {
  const frame = scanner.scan(bytes);
  if (frame === null) return null;
  const events = frame.events.map((event) =>
    event.kind === 'price_change' ? { ...event, changes: event.changes.map(asParsed) } : event,
  );
  return { ...frame, events };
}

function asParsed({ token, hash, ...change }: LevelChange): LevelChange {
  if (token !== undefined) expect(token.id).to.equal(change.tokenId);
  return { ...change, hash: hash && hashText(hash) };
}

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
      for (const scanner of allScanners()) expect(scan(text, scanner)).to.equal(null);
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
        for (const scanner of allScanners()) expectNotOtherwise(scanner, Buffer.from(text));
      }),
      { numRuns: RUNS },
    );
  });

  it('is, with any bytes changed, never read otherwise than the parser reads it', () => {
    const { frames } = walkBooks(4, 50);
    const scanners = allScanners();
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
        for (const scanner of scanners) expectNotOtherwise(scanner, bytes);
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
          const bytes = Buffer.from(inLayout(text, sideFirst, blanks));
          for (const scanner of allScanners()) expectNotOtherwise(scanner, bytes);
        },
      ),
      { numRuns: RUNS },
    );
  });

  for (const { sideFirst, blanks } of LAYOUTS) {
    const order = sideFirst ? 'the side before the size' : 'the size before the side';
    it(`is read at once with ${order}, and ${blanks ? 'with' : 'without'} blanks`, () => {
      const text = inLayout(JSON.stringify(frame()), sideFirst, blanks);
      expect(scan(text, new UsualOrderScanner())).to.deep.equal(parsed(text)).and.not.equal(null);
    });
  }

  it('has its hashes in 20 bytes when it is read at once', () => {
    const [event] = new UsualOrderScanner().scan(Buffer.from(JSON.stringify(frame())))!.events;
    expect(event!.kind === 'price_change' && event!.changes[0]!.hash).to.be.instanceOf(PackedSha1);
  });

  it('is never completed by what an earlier frame left behind', () => {
    const whole = Buffer.from(JSON.stringify(frame()));
    const scanner = new UsualOrderScanner();
    for (let length = 0; length < whole.length; length++) {
      expect(scanner.scan(whole)).to.not.equal(null);
      expect(scanner.scan(whole.subarray(0, length)), `${length} bytes`).to.equal(null);
    }
  });

  it('may have more changes than are read at once', () => {
    const text = JSON.stringify(frame({ price_changes: Array.from({ length: 90 }, () => change()) }));
    expect(scan(text, new UsualOrderScanner())).to.equal(null);
    expect(scan(text)).to.deep.equal(parsed(text));
  });

  it('is every one that the venue sends today, and of recorded games in all their orders of keys', async function () {
    const session = capture(this, 'ws-market', 'session_1785130179.2026-07-27.jsonl');
    const scanners = allScanners();
    for (const file of [...recordedGames(this).slice(0, 2), session]) {
      const { frames } = await readRecording(file);
      expectAllScanned(
        scanners,
        frames.map(({ text }) => text),
      );
    }
  });

  it('tells ids apart that differ in one digit, whichever', () => {
    const scanner = new PriceChangeScanner();
    const random = seededRandom(7);
    const ids = [...YES].map((digit, i) => `${YES.slice(0, i)}${(Number(digit) + 1) % 10}${YES.slice(i + 1)}`);
    for (let n = 0; n < 3; n++) {
      for (const id of ids.toSorted(() => random.next() - 0.5)) {
        const text = JSON.stringify(frame({ price_changes: [change({ asset_id: id })] }));
        expect(scan(text, scanner)).to.deep.equal(parsed(text));
      }
    }
  });

  it('is read the same when a connection has brought more ids than are kept', () => {
    const scanner = new UsualOrderScanner();
    const random = seededRandom(8);
    const ids = Array.from({ length: 3_000 }, () =>
      String(BigInt(`0x9${Buffer.from(random.bytes(31)).toString('hex')}`)),
    );
    const text = JSON.stringify(frame());
    for (const asset_id of [...ids, ...ids]) {
      const frame = scanner.scan(Buffer.from(text.replaceAll(YES, asset_id)))!;
      const [event] = frame.events;
      expect(event!.kind === 'price_change' && event!.changes.map(({ tokenId }) => tokenId)).to.deep.equal([
        asset_id,
        asset_id,
      ]);
    }
  });
});

/** Nothing is scanned, or what the parser of all frames says. */
function expectNotOtherwise(scanner: Scanner, bytes: Buffer): void {
  const frame = scanned(scanner, bytes);
  if (frame !== null) expectEqual(frame, parsed(bytes.toString('utf8')));
}

/** Of frames of changes all are scanned by each, and equal what the parser says; of others none are. */
function expectAllScanned(scanners: readonly Scanner[], texts: readonly string[]): void {
  let changes = 0;
  for (const text of texts) {
    const other = parsed(text);
    const isChange = other.events.length === 1 && other.events[0]!.kind === 'price_change';
    if (isChange) changes++;
    for (const scanner of scanners) {
      const frame = scan(text, scanner);
      expect(frame !== null, text).to.equal(isChange);
      if (frame !== null) expectEqual(frame, other);
    }
  }
  expect(changes).to.be.above(0);
}

/** The library tells what differs, and takes a hundred times as long to see that nothing does. */
function expectEqual(frame: MarketFrame, other: MarketFrame): void {
  if (!isDeepStrictEqual(frame, other)) expect(frame).to.deep.equal(other);
}
