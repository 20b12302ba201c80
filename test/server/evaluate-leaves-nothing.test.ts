import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCounters, createMetrics } from '#http/observe/metrics';
import { type Door, openDoor, STATUS } from './http/support/door.js';
import { ERAS, sendBytes } from './mcp/support/messages.js';

/** No other figure or word of a log, a store or a metric looks like one of these. */
const CANARIES = ['0.4713', '0.5829', '918273.645546', '31337.42', '271828.18', 'canary-7f3a', '2031-07-19'];
const [BID, ASK, SIZE, USD, AGE, CATEGORY, DAY] = CANARIES;
const ORDER = {
  book: { bids: [[BID, SIZE]], asks: [[ASK, SIZE]], asset_id: CATEGORY },
  usd: Number(USD),
  age_s: Number(AGE),
  fee: { rate: 0.03, category: CATEGORY },
  plan: true,
  evaluated_at: `${DAY}T00:00:00Z`,
};
/** Each kind of refusal, and each repeats something of what it was sent. */
const REFUSED: readonly string[] = [
  JSON.stringify({ ...ORDER, [CATEGORY!]: CATEGORY }),
  JSON.stringify({ ...ORDER, side: CATEGORY }),
  JSON.stringify({ ...ORDER, book: { bids: [[USD, SIZE]], asks: [] } }),
  JSON.stringify({
    ...ORDER,
    book: {
      bids: [
        [BID, SIZE],
        [BID, SIZE],
      ],
      asks: [],
    },
  }),
  JSON.stringify({ ...ORDER, book: { ...ORDER.book, tick_size: { toString: CATEGORY } } }),
  JSON.stringify({ ...ORDER, book: CATEGORY }),
  JSON.stringify(ORDER).slice(0, -9),
  JSON.stringify({ ...ORDER, pad: `${CATEGORY}${'x'.repeat(70_000)}` }),
];
const CALLS_A_MINUTE = 60;

describe('an evaluation', () => {
  let door: Door;
  let exposition: () => Promise<string>;
  before(async () => {
    const { registry, ...counters } = createCounters({
      build: { version: '0.1.0', store: 'embedded', schema: 2 },
      facilitators: [],
    });
    const metrics = createMetrics({
      registry,
      status: async () => STATUS,
      streams: () => ({ open: 0, refused: 0 }),
      disk: () => ({ storeBytes: 4_096, tapeBytes: null, backupAtMs: null }),
      freeBytes: async () => 5e9,
      facilitators: [],
    });
    exposition = () => metrics.text();
    door = await openDoor({ deps: { metrics: { ...counters, ...metrics } } });
  });
  after(() => door.stop());

  async function byRest(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${door.url}/api/evaluate`, { method: 'POST', headers, body })).text();
  }

  async function byMcp(era: keyof typeof ERAS, args: string): Promise<string> {
    const { message, headers } = ERAS[era]('tools/call', { name: 'evaluate', arguments: '@' } as { name: string });
    return (
      await sendBytes(
        door.url,
        JSON.stringify(message).replace('"@"', () => args),
        headers,
      )
    ).text;
  }

  it('leaves nothing of what it was sent in the log at its finest, in the store and in the metrics', async () => {
    const eras = Object.keys(ERAS) as (keyof typeof ERAS)[];
    const ask = async (body: string) => [
      await byRest(body),
      ...(await Promise.all(eras.map((era) => byMcp(era, body)))),
    ];
    const asked = JSON.stringify(ORDER);
    for (const text of await ask(asked)) expect(text).to.include(CATEGORY).and.include(DAY);
    const refusals = [];
    for (const body of REFUSED) refusals.push(...(await ask(body)));
    for (const text of refusals)
      expect(text)
        .to.match(/error/)
        .and.not.match(/"verdict"/);
    // What is repeated to the caller is what could be written down.
    expect(refusals.filter((text) => CANARIES.some((one) => text.includes(one)))).to.have.length.above(6);
    for (const wrong of [`[${asked}]`, JSON.stringify(CATEGORY)]) await ask(wrong);
    let last: string[] = [];
    for (let n = 0; n < CALLS_A_MINUTE; n++) last = await ask(asked);
    for (const text of last) expect(text).to.include('rate_limited');

    const written = new Map([
      ['the log', Buffer.from(door.logLines.join(''))],
      ['the metrics', Buffer.from(await exposition())],
      ...readdirSync(door.dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name))] as const),
    ]);
    expect(written.size).to.be.above(2);
    expect(door.logLines.join('')).to.include('/api/evaluate').and.include('/mcp');
    expect(written.get('the metrics')!.toString()).to.include('/api/evaluate');
    for (const [where, bytes] of written) {
      for (const canary of CANARIES) expect(bytes.includes(canary), `${canary} in ${where}`).to.equal(false);
    }
  });
});
