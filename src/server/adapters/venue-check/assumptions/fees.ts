import { parseClobMarket } from '#wire/polymarket/clob';
import { toFeeNumber, toFeeSchedule } from '#wire/polymarket/fee-schedule';
import { NothingToAsk } from '../asker.js';
import { rowsOf } from '../interview/catalog.js';
import type { Interview } from '../interview/interview.js';
import { fieldsOf } from '../rest-books.js';
import { each, holding, shown, tally } from '../seen.js';
import { type Assumption, summaryOf } from './assumption.js';

/** The words under which the venue has published a curve, and null for none (docs/venue.md, "Fees"). */
const FEE_WORDS = new Set<unknown>([
  ...[undefined, null, 'crypto_fees_v2', 'crypto_15_min', 'sports_fees_v2', 'sports_fees_v3'],
  ...['sports_fees_nfl_cfb_oct26', 'economics_fees', 'culture_fees', 'weather_fees', 'general_fees'],
  ...['finance_prices_fees', 'politics_fees', 'mentions_fees', 'tech_fees', 'zero_fees'],
]);
/** Of a share at 0.50, where every curve is at its highest: 0.07 with exponent 1. */
const WORST_FEE_USD = 0.07 * 0.25;

/** What the service takes for granted of fees. */
export const FEES: readonly Assumption[] = [
  {
    id: 23,
    text: 'the words of `feeType` are known',
    asked: 'Gamma `/markets?closed=false`',
    check: async (venue) => {
      const words = rowsOf(await venue.catalog.open()).map((row) => fieldsOf(row).feeType);
      const seen = each(words, 'open markets', (word) => (FEE_WORDS.has(word) ? null : shown(word)));
      return seen.holds === 'yes' ? holding(tally(words.map((word) => String(word ?? 'none')))) : seen;
    },
  },
  {
    id: 24,
    text: 'no curve is dearer than the worst published one',
    asked: 'Gamma `feeSchedule`',
    check: async (venue) =>
      each(await schedules(venue), 'schedules', ({ rate, exponent }) => {
        const fee = toFeeSchedule(rate, exponent, '');
        const isKnown = fee.known && fee.rate * 0.25 ** fee.exponent <= WORST_FEE_USD;
        return isKnown ? null : `rate ${shown(rate)}, exponent ${shown(exponent)}`;
      }),
  },
  {
    id: 25,
    text: "fees are the taker's alone",
    asked: 'Gamma `feeSchedule.takerOnly`',
    check: async (venue) =>
      each(await schedules(venue), 'schedules', ({ rate, takerOnly }) =>
        takerOnly === true || toFeeNumber(rate) === 0 ? null : `takerOnly ${shown(takerOnly)}`,
      ),
  },
  {
    id: 26,
    text: '`feeSchedule` and `fd` are the same curve',
    asked: 'CLOB `/clob-markets/{condition}`',
    check: async ({ books }) => {
      const terms = (await books.terms()).filter(
        ({ raw }) => raw.feeSchedule !== undefined && raw.feeSchedule !== null,
      );
      return each(terms, 'markets with a fee', ({ market, answer }) => {
        const fee = parseClobMarket(answer.body)?.fee;
        const isSame = fee?.known === true && fee.rate === market.fee.rate && fee.exponent === market.fee.exponent;
        return isSame ? null : `${market.slug}: ${market.fee.rate}, fd ${shown(fieldsOf(answer.body).fd)}`;
      });
    },
  },
  {
    id: 27,
    text: 'a market without fees has no `fd`',
    asked: 'CLOB `/clob-markets/{condition}`',
    check: async ({ books }) => {
      const free = (await books.terms()).filter(({ raw }) => raw.feesEnabled === false);
      return each(free, 'markets without fees', ({ answer }) => {
        if (parseClobMarket(answer.body) === null) return summaryOf(answer);
        const { fd } = fieldsOf(answer.body);
        return fd === undefined ? null : `fd ${shown(fd)}`;
      });
    },
  },
];

async function schedules({ catalog }: Interview): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found = rowsOf(await catalog.open()).map((row) => fieldsOf(row).feeSchedule);
  const given = found.filter((schedule) => schedule !== undefined && schedule !== null);
  if (given.length === 0) throw new NothingToAsk('no open market has a feeSchedule');
  return given.map(fieldsOf);
}
