import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import type { PageWorld } from '#test/page/support/page-world';
import { live } from './try-it.js';

const BEFORE_USE_BYTES_MAX = 45_700;
const REQUESTS_MAX = 8;
const STREAMED_MS = 60_000;
const TASK_MS_MAX = 50;
const HEAP_GROWTH_BYTES_MAX = 5_000_000;
const EVENTS_PER_S = 10;

/** What the landing page weighs, and what it costs to leave it open. */
export function tryBudgets(world: PageWorld): void {
  it(`loads at most ${BEFORE_USE_BYTES_MAX} bytes before it is used, and nothing more for its curve`, async () => {
    const opened = await world.open('/');
    await live(opened.page);
    await opened.page.keyboard.press('Tab');
    await opened.page.locator('.plane polyline').waitFor();
    const { requests, bytes } = await opened.transferred();
    expect(bytes).to.be.at.most(BEFORE_USE_BYTES_MAX);
    // The stream is one more: it does not end.
    expect(requests + 1).to.be.at.most(REQUESTS_MAX);
  });

  it(`keeps every task short, its memory and its place while a book streams ${EVENTS_PER_S} times a second`, async () => {
    const stream = await startStream();
    try {
      const opened = await world.open('/', {
        prepare: (page) => divert(page, stream),
        // The stream ends with the test, in the middle of what it says.
        expected: [/ERR_INCOMPLETE_CHUNKED_ENCODING/],
      });
      const { page } = opened;
      await live(page);
      await page.mouse.move(300, 300);
      await page.locator('.plane polyline').waitFor();
      const [tasks, growth] = await measured(page, () => page.waitForTimeout(STREAMED_MS));
      expect(Math.max(...tasks), 'ms of processor time of the longest task').to.be.below(TASK_MS_MAX);
      expect(growth, 'bytes').to.be.below(HEAP_GROWTH_BYTES_MAX);
      expect((await opened.noticed()).layoutShift).to.equal(0);
    } finally {
      stream.closeAllConnections();
      stream.close();
    }
  });
}

/** Sends the request for a book to another server; the page sees its own origin. */
async function divert(page: Page, stream: Server): Promise<void> {
  const { port } = stream.address() as AddressInfo;
  await page.route('**/demo/books/**', (route) => {
    const { pathname } = new URL(route.request().url());
    return route.continue({ url: `http://127.0.0.1:${port}${pathname}` });
  });
}

/** A server whose books move with every event, a level here, a size there. */
async function startStream(): Promise<Server> {
  const server = createServer((request, response) => {
    const token_id = /books\/(\d+)/.exec(request.url ?? '')?.[1] ?? '';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sequence = 0;
    const send = () => {
      sequence++;
      const heading = { sequence, server_time_ms: Date.now(), token_id };
      const data = { ...heading, book: movingBook(sequence), market_status: DEMO_EXAMPLE.market.status };
      response.write(`event: book\ndata: ${JSON.stringify(data)}\n\n`);
    };
    const timer = setInterval(send, 1e3 / EVENTS_PER_S);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const LEVELS = 60;

function movingBook(step: number) {
  const middle = 480 + (step % 5);
  const side = (direction: 1 | -1) =>
    Array.from({ length: LEVELS }, (_, depth) => {
      const away = LEVELS - depth;
      const size = ((step * 37 + away * 101) % 9_000) / 10 + away * 40;
      return [((middle + direction * away) / 1e3).toFixed(3), size.toFixed(1)] as [string, string];
    });
  return { ...DEMO_EXAMPLE.book, timestamp_ms: step, confirmed_age_ms: step % 90, bids: side(-1), asks: side(1) };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Returns the processor time in ms of each task of the page's main thread while something is done,
 * and by how much the heap grew, both after it was swept. Processor time, since another process on
 * the machine makes no task of the page longer.
 */
async function measured(
  page: Page,
  work: () => Promise<unknown>,
): Promise<readonly [tasksMs: number[], growth: number]> {
  const browser = page.context().browser()!;
  const before = await heapBytes(page);
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const growth = (await heapBytes(page)) - before;
  const { traceEvents } = trace;
  const mains = traceEvents.filter(
    ({ ph, name, args }) => ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const tasks = traceEvents.filter(
    ({ name, tdur, pid, tid }) =>
      name.endsWith('RunTask') && tdur !== undefined && mains.some((main) => main.pid === pid && main.tid === tid),
  );
  expect(tasks.length, 'tasks that were traced').to.be.above(100);
  return [tasks.map(({ tdur }) => tdur! / 1e3), growth];
}

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
