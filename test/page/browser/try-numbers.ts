import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import type { OrderVerdict } from '#api/order-verdict';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import type { PageWorld } from '#test/page/support/page-world';
import { redeemLocal } from '#test/support/local-process';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const ANSWERS = 200;
const SIZES_USD = [1, 4.5, 20, 100, 333.33, 1_000, 2_500, 7_777.77, 25_000, 150_000, 2_000_000];
const CAUTIONS_C = [1, 0.5, 2.25];
const WALLET = '0x00000000000000000000000000000000000000a1';

/**
 * What is bought of the service and what the page computes of the same book are compared, figure by
 * figure.
 */
export function tryNumbers(world: PageWorld): void {
  it(`shows for the book of a paid answer what the answer says, in ${ANSWERS} answers with evidence`, async function () {
    this.timeout(ANSWERS * 5_000);
    const answers = await buy(world, ANSWERS);
    expect([...new Set(answers.map(({ verdict }) => verdict))].sort()).to.deep.equal(['CAUTION', 'OK', 'VETO']);
    const { page } = await world.open('/', {
      prepare: async (page) => {
        await page.route('**/demo/markets', (route) => route.fulfill({ json: { markets: answers.map(marketOf) } }));
        await page.route('**/demo/books/**', (route) => fulfillBook(route, answers));
      },
    });
    await page.locator('.limits').evaluate((details: { open?: boolean }) => {
      details.open = true;
    });
    // The age goes on while the page is read.
    await page.fill('#max_book_age_s', '80000');
    for (const [n, answer] of answers.entries()) {
      if (n > 0) await page.selectOption('#market', String(n));
      await page.locator('#feed', { hasText: 'has ended' }).waitFor({ timeout: PROCESS_TEST_MS / 4 });
      await ask(page, answer);
      expect(await shown(page), `answer ${n}`).to.deep.equal(expected(answer));
    }
  });
}

/** Buys answers of all markets of the try-out, on both sides and at sizes of all kinds. */
async function buy({ local: { facts } }: PageWorld, count: number): Promise<OrderVerdict[]> {
  const token = await redeemLocal(facts, WALLET);
  const { markets } = (await (await fetch(`${facts.url}/demo/markets`)).json()) as {
    markets: { outcomes: { token_id: string }[] }[];
  };
  const tokens = markets.flatMap(({ outcomes }) => outcomes.map(({ token_id }) => token_id));
  const answers: OrderVerdict[] = [];
  for (let n = 0; n < count; n++) {
    const query = new URLSearchParams({
      token_id: tokens[n % tokens.length]!,
      side: n % 2 === 0 ? 'BUY' : 'SELL',
      usd: String(SIZES_USD[n % SIZES_USD.length]),
      max_slippage_c: String(CAUTIONS_C[n % CAUTIONS_C.length]),
      evidence: '1',
    });
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${facts.url}/api/preflight_trade?${query}`, { headers });
    expect(response.status).to.equal(200);
    answers.push((await response.json()) as OrderVerdict);
  }
  return answers;
}

/** A market for each answer, whose stream has the number of the answer in its address. */
function marketOf({ evidence }: OrderVerdict, n: number) {
  const { market } = evidence!.payload;
  const { slug, question, fee, min_order_shares, matching_delay_s, game_due_at = null, status } = market;
  const outcomes = [
    { label: market.outcome, token_id: market.token_id, events: `/demo/books/${market.token_id}/events?answer=${n}` },
  ];
  const told = { slug, question, outcomes, fee, min_order_shares, matching_delay_s, game_due_at, status };
  return { ...DEMO_EXAMPLE.market, ...told };
}

function fulfillBook(route: Route, answers: readonly OrderVerdict[]): Promise<void> {
  const n = Number(new URL(route.request().url()).searchParams.get('answer'));
  const { market, book } = answers[n]!.evidence!.payload;
  const heading = { sequence: 1, server_time_ms: Date.now(), token_id: market.token_id };
  const data = { ...heading, book: { ...book, doubt: null, trusted: true }, market_status: market.status };
  const body = `event: book\ndata: ${JSON.stringify(data)}\n\n`;
  return route.fulfill({ contentType: 'text/event-stream', body });
}

async function ask(page: Page, { evidence }: OrderVerdict): Promise<void> {
  const { request } = evidence!.payload;
  await page.check(`input[name=side][value=${request.side}]`, { force: true });
  await page.fill('#veto_slippage_c', String(request.veto_slippage_c));
  await page.fill('#max_slippage_c', String(request.max_slippage_c));
  await page.fill('#size', String(request.usd));
}

/** Everything but the age, which is another one at every look. */
const AGELESS = /book is [\d.]+ s old/;

async function shown(page: Page) {
  const numbers = await page
    .locator('[data-number]')
    .evaluateAll((elements: readonly unknown[]) =>
      (elements as readonly { dataset: { number: string }; textContent: string }[]).map((element) => [
        element.dataset.number,
        element.textContent,
      ]),
    );
  const reasons = await page.locator('.reasons li').allInnerTexts();
  return {
    verdict: await page.locator('#verdict strong').innerText(),
    reasons: reasons.map((reason) => reason.replace(AGELESS, '')),
    numbers: { ...(Object.fromEntries(numbers) as object), book_age_seconds: '' },
  };
}

function expected({ verdict, reasons, numbers }: OrderVerdict) {
  const texts = Object.entries(numbers).map(([name, value]) => [name, String(value)]);
  return {
    verdict,
    reasons: reasons.map((reason) => reason.replace(AGELESS, '')),
    numbers: { ...(Object.fromEntries(texts) as object), book_age_seconds: '' },
  };
}
