import { OrderRequestSchema } from '#api/order-request';
import { OrderBook } from '#domain/book/order-book';
import { assess } from '#judge/assess';
import { thresholdsOf, toVerdictBody } from '#judge/verdict-body';
import { type EvidenceFixture, newEvidenceFixture } from '#test/support/evidence-fixture';
import { sampleMarket } from '#test/support/sample-markets';
import { bookHash } from '#wire/polymarket/book-hash';
import { evidenceBesideVerdicts } from './evidence-load.js';
import { atMost, type Section, show, table } from './support/report.js';
import { interleave, median, steadyMicros, type Variant } from './support/rounds.js';

const LEVELS = [10, 40, 140] as const;
/** Answers of one repetition. */
const ANSWERS = 50;
const ROUNDS = 9;
const NOW_MS = 1_784_000_000_000;

type Answer = (withEvidence: boolean) => string;

/**
 * Measures what evidence adds to an answer once the book is at hand: judged, signed and written as
 * JSON.
 */
export async function benchEvidence(): Promise<Section> {
  const fixture = newEvidenceFixture();
  try {
    const costs = await measureAll(fixture);
    const added = LEVELS.map((_, i) => costs.on[i]! - costs.off[i]!);
    const rows = [
      ['evidence off', ...costs.off.map(show)],
      ['evidence on', ...costs.on.map(show)],
      ['more', ...added.map(show)],
    ];
    const { text, goals } = await evidenceBesideVerdicts();
    const path = `evidence, ${LEVELS.at(-1)} levels a side, more CPU`;
    return {
      title: 'Evidence',
      texts: [table(['CPU µs of an answer', ...LEVELS.map((levels) => `${levels} levels a side`)], rows), text],
      goals: [{ path, goal: atMost(300), measured: added.at(-1)!, unit: 'µs' }, ...goals],
    };
  } finally {
    fixture.remove();
  }
}

/** Returns µs of CPU for each number of levels. */
async function measureAll(fixture: EvidenceFixture): Promise<Record<'off' | 'on', readonly number[]>> {
  const variants = LEVELS.flatMap((levels) => {
    const answer = answerOn(levels, fixture);
    return [variant(`off ${levels}`, answer, false), variant(`on ${levels}`, answer, true)];
  });
  const results = await interleave('evidence', variants, ROUNDS);
  const micros = (kind: string) => LEVELS.map((levels) => median(results.get(`${kind} ${levels}`)!));
  return { off: micros('off'), on: micros('on') };
}

function variant(name: string, answer: Answer, withEvidence: boolean): Variant<number> {
  let length = 0;
  const all = () => {
    for (let i = 0; i < ANSWERS; i++) length += answer(withEvidence).length;
    return void length;
  };
  return { name, run: () => steadyMicros(ANSWERS, all) };
}

/**
 * Returns what answers one question about a book whose hash the venue sent, as the service does.
 */
function answerOn(levels: number, { evidenceOf }: EvidenceFixture): Answer {
  const market = sampleMarket(7);
  const outcome = market.outcomes[0]!;
  const book = bookOf(levels, outcome.tokenId, market.conditionId);
  const request = OrderRequestSchema.parse({ slug: market.slug, outcome: outcome.label, usd: 250, evidence: 1 });
  const thresholds = thresholdsOf(request);
  return (withEvidence) => {
    const { side, usd } = request;
    const assessment = assess({ side, usd, thresholds, market, book, bookAgeMs: 40 });
    const body = toVerdictBody(market, outcome, assessment, thresholds, NOW_MS);
    const text = JSON.stringify(body);
    if (!withEvidence) return text;
    const evidence = evidenceOf({ request, market, outcome, fresh: { book, ageMs: 40 }, assessment, body });
    return `${text.slice(0, -1)},"evidence":${evidence}}`;
  };
}

function bookOf(levels: number, tokenId: OrderBook['tokenId'], conditionId: OrderBook['conditionId']): OrderBook {
  const side = (worstTicks: number, stepTicks: number) =>
    Array.from({ length: levels }, (_, i) => ({
      priceTicks: worstTicks + i * stepTicks,
      sizeMicros: 1_000_000 + ((i * 7_919) % 100_000) * 10_000,
    }));
  const fields = { minOrderSize: '5', tickSize: '0.001', negRisk: false, lastTradePrice: '0.490' };
  const about = { ...fields, tokenId, conditionId, timestampMs: NOW_MS };
  const [bids, asks] = [side(1_000, 20), side(9_000, -20)];
  const hash = bookHash({ ...about, bidsAscending: bids, asksDescending: asks });
  const book = new OrderBook(tokenId, conditionId);
  book.applySnapshot({ ...about, bids, asks, hash }, 0);
  return book;
}
