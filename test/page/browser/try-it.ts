import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { PAUSED } from '#page/model/book/feed-words';
import { positionOf } from '#page/model/order/size-scale';
import { tabTo } from '#test/page/support/keyboard';
import type { PageWorld } from '#test/page/support/page-world';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const SOON_MS = PROCESS_TEST_MS / 4;
/**
 * A key makes the order 2.3 % larger: so many lead from an order that is OK to one that never is.
 */
const KEYS_MAX = 400;

const wordOf = (page: Page) => page.locator('#verdict strong').innerText();

/** Waits until the page follows a live book. */
export async function live(page: Page): Promise<void> {
  await page.locator('#feed.live').waitFor({ timeout: SOON_MS });
}

async function waitForWord(page: Page, word: string): Promise<void> {
  await page.locator('#verdict strong', { hasText: word }).waitFor({ timeout: SOON_MS });
}

/**
 * Presses a key until the verdict is the wanted one. The book moves meanwhile, and may have another
 * one for a moment.
 */
async function pressUntil(page: Page, key: string, word: string): Promise<void> {
  for (let presses = 0; presses < KEYS_MAX; presses++) {
    await page.keyboard.press(key);
    if ((await wordOf(page)) === word) return;
  }
  throw new Error(`${KEYS_MAX} presses of ${key} do not lead to ${word}, but to ${await wordOf(page)}`);
}

/** What a person does first, by keyboard alone. */
export function tryByKeyboard(world: PageWorld): void {
  it('lets a person choose a market, move the size through all three verdicts and use the safe size, by keyboard', async () => {
    const { page } = await world.open('/');
    await live(page);
    await chooseAndSize(page);
  });
}

/** Chooses the next market, uses its safe size, and moves the size through all three verdicts. */
export async function chooseAndSize(page: Page): Promise<void> {
  await tabTo(page, '#market');
  const first = await page.locator('#market').inputValue();
  await page.keyboard.press('ArrowDown');
  expect(await page.locator('#market').inputValue()).to.not.equal(first);
  await live(page);
  await tabTo(page, 'input[name=outcome]');
  await tabTo(page, 'input[name=side]');
  await tabTo(page, '#size');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('10000000');
  await waitForWord(page, 'VETO');
  await page.keyboard.type('x');
  await waitForWord(page, 'No verdict');
  await page.keyboard.press('Backspace');
  await tabTo(page, '#use-safe-size');
  await page.keyboard.press('Enter');
  await waitForWord(page, 'OK');
  // With the veto out of the way all that the book can fill is CAUTION, however its levels lie.
  await page.locator('.limits summary').focus();
  await page.keyboard.press('Enter');
  await tabTo(page, '#veto_slippage_c');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('100');
  await page.locator('#size-slider').focus();
  await pressUntil(page, 'ArrowRight', 'CAUTION');
  await pressUntil(page, 'ArrowRight', 'VETO');
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  // The slider ends where the book does.
  await waitForWord(page, 'VETO');
  expect(Number(await page.locator('#size').inputValue())).to.be.below(10_000_000);
}

/**
 * Orders between which the verdict changes on any book of the local venue: one that is OK and one
 * that nobody can fill.
 */
const [SMALL_USD, HUGE_USD] = [20, 10_000_000];
const MOVES = 20;

interface Slider {
  value: string;
  dispatchEvent(event: object): void;
}
interface Painted {
  readonly document: { querySelector(selector: string): (Slider & { readonly textContent: string }) | null };
  readonly Event: new (name: string, about: object) => object;
  requestAnimationFrame(due: () => void): void;
}

/**
 * Runs in the page: moves the slider to each of the places, and returns the verdicts that the very
 * next pictures show.
 */
async function wordsOfNextFrames(positions: readonly number[]): Promise<readonly string[]> {
  const page = globalThis as unknown as Painted;
  const words: string[] = [];
  for (const position of positions) {
    const slider = page.document.querySelector('#size-slider')!;
    slider.value = String(position);
    slider.dispatchEvent(new page.Event('input', { bubbles: true }));
    await new Promise<void>((painted) => page.requestAnimationFrame(painted));
    words.push(page.document.querySelector('#verdict strong')!.textContent);
  }
  return words;
}

/** Counts pictures, not milliseconds. */
export function tryInOneFrame(world: PageWorld): void {
  it('shows the verdict on the new size in the first picture after the slider has moved', async () => {
    const { page } = await world.open('/');
    await live(page);
    const moves = Array.from({ length: MOVES }, (_, at) => (at % 2 === 0 ? HUGE_USD : SMALL_USD));
    const words = await page.evaluate(wordsOfNextFrames, moves.map(positionOf));
    expect(words).to.deep.equal(moves.map((usd) => (usd === HUGE_USD ? 'VETO' : 'OK')));
  });

  it('holds no stream while it is hidden, and goes on by itself when it is seen again', async () => {
    const { page } = await world.open('/');
    await live(page);
    const turn = (state: 'hidden' | 'visible') =>
      page.evaluate(`(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${state === 'hidden'} });
        document.dispatchEvent(new Event('visibilitychange'));
      })()`);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/demo/books/'));
    await turn('hidden');
    await ended;
    await page.locator('#feed.calm', { hasText: PAUSED }).waitFor({ timeout: SOON_MS });
    await page.getByRole('heading', { name: 'Verdict on the last book' }).waitFor({ timeout: SOON_MS });
    await turn('visible');
    await live(page);
  });
}

/** What the venue does to a page that is open. */
export function tryUnderFaults(world: PageWorld): void {
  it('greys a frozen book and turns to VETO by itself, and back when the venue speaks again', async () => {
    const { page } = await world.open('/');
    await live(page);
    await page.getByText('Limits', { exact: true }).click();
    await page.fill('#max_book_age_s', '4');
    await page.fill('#size', '20');
    await waitForWord(page, 'OK');
    await world.venueFaults({ freezeSocket: true, restDown: { clob: true } });
    await waitForWord(page, 'VETO');
    expect(await page.locator('.reasons').innerText()).to.match(/book was last confirmed .* above the limit of 4 s/);
    expect(await page.locator('.ladder.stale').count()).to.equal(1);
    await world.venueFaults({ clear: true });
    await waitForWord(page, 'OK');
    expect(await page.locator('.ladder.stale').count()).to.equal(0);
  });

  for (const [answer, words] of [
    [{ status: 402, contentType: 'application/json', body: '{}' }, /asks to be paid/],
    [{ status: 429, headers: { 'retry-after': '9' }, body: '{}' }, /after 9 s/],
    [{ status: 500, body: 'oops' }, /has failed \(500\)/],
    [{ status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }, /answered with a page/],
    [{ status: 200, contentType: 'text/event-stream', body: 'event: book\ndata: {"seq' }, /has ended/],
  ] as const) {
    it(`says what happened when the stream is answered with ${answer.status} "${answer.body}", and shows no verdict`, async () => {
      const { page } = await world.open('/', {
        expected: [/Failed to load resource/],
        prepare: (page) => page.route('**/demo/books/**', (route) => route.fulfill(answer)),
      });
      await page.locator('#feed', { hasText: words }).waitFor({ timeout: SOON_MS });
      expect(await wordOf(page)).to.equal('No verdict');
      expect(await page.locator('.ladder .hit').count()).to.equal(0);
    });
  }

  for (const [what, answer] of [
    ['no list', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }],
    ['a page in its place', { status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }],
    ['no market', { status: 200, contentType: 'application/json', body: '{"example":true,"markets":[]}' }],
  ] as const) {
    it(`stays on the example, and says so, when there is ${what}`, async () => {
      const { page } = await world.open('/', {
        expected: [/Failed to load resource/],
        prepare: (page) => page.route('**/demo/markets', (route) => route.fulfill(answer)),
      });
      await page.locator('#feed', { hasText: 'Example, not live.' }).waitFor({ timeout: SOON_MS });
      expect(await page.getByRole('heading', { name: 'Verdict on the example book' }).count()).to.equal(1);
      expect(await wordOf(page)).to.equal('OK');
    });
  }
}

/** The page as text, and for markets that are not in the try-out. */
export function tryAsText(world: PageWorld): void {
  it('says without script what it is, what it costs and how it is called', async () => {
    const { page } = await world.open('/', { javaScript: false });
    const text = await page.locator('main').innerText();
    for (const said of [
      'Should this order be sent',
      'preflight_copy',
      '0.10',
      '500 credits',
      "curl '",
      'Example, not live.',
      'a best price of 0.97 or above, or 0.03 or below',
    ]) {
      expect(text).to.include(said);
    }
    expect(await wordOf(page)).to.equal('OK');
  });

  it('shows for any other market the request, its terms in words, and the line with a token', async () => {
    const { page } = await world.open('/', { expected: [/Failed to load resource.*402/] });
    await live(page);
    await page.getByText('Another market', { exact: true }).click();
    await page.fill('#outside-market', 'https://example.com/event/x');
    await page.locator('#outside-fault', { hasText: 'give a market slug' }).waitFor({ timeout: SOON_MS });
    await page.fill('#outside-market', 'will-it-rain-tomorrow');
    await page.locator('.outside').getByRole('radio', { name: 'Yes', exact: true }).check();
    const requests = await page.locator('.outside pre').allInnerTexts();
    expect(requests[0]).to.match(
      /^GET \/api\/preflight_trade\?slug=will-it-rain-tomorrow&outcome=Yes&side=BUY&usd=100&/,
    );
    expect(requests[1]).to.include('Authorization: Bearer $PREFLIGHT_TOKEN');
    await page.getByRole('button', { name: 'Ask for the price (free)' }).click();
    await page.locator('.terms', { hasText: '0.02 USDC' }).waitFor({ timeout: SOON_MS });
    expect(await page.locator('.terms').innerText()).to.match(new RegExp(world.local.facts.payee, 'i'));
  });
}
