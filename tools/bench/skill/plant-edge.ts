/**
 * With which chance a proposed entry is kept, once its market's result is known to the generator.
 */
export interface Acceptance {
  readonly ifWin: number;
  readonly ifLoss: number;
}

/**
 * No edge goes beyond these chances of winning, in micros; where the price itself does, nothing is
 * planted.
 */
const CHANCE_MICROS_MIN = 10_000;
const CHANCE_MICROS_MAX = 990_000;

const EVERYTHING: Acceptance = { ifWin: 1, ifLoss: 1 };

/**
 * Returns how to keep entries of a calibrated price, so that the kept ones win `edgeMicros` more
 * often than the price says. Results are moved by nothing: skill is only in which entries are made,
 * so all wallets share the same results.
 */
export function acceptanceOf(priceMicros: number, edgeMicros: number): Acceptance {
  if (edgeMicros === 0) return EVERYTHING;
  const price = priceMicros / 1e6;
  const aim = aimMicros(priceMicros, edgeMicros) / 1e6;
  if (edgeMicros > 0 ? aim <= price : aim >= price) return EVERYTHING;
  const odds = (price / (1 - price)) * ((1 - aim) / aim);
  return odds < 1 ? { ifWin: 1, ifLoss: odds } : { ifWin: 1 / odds, ifLoss: 1 };
}

function aimMicros(priceMicros: number, edgeMicros: number): number {
  const aim = priceMicros + edgeMicros;
  return edgeMicros > 0 ? Math.min(CHANCE_MICROS_MAX, aim) : Math.max(CHANCE_MICROS_MIN, aim);
}

/**
 * Returns the chance that an outcome wins, given its calibrated price and that the generator kept
 * an entry with this acceptance (Bayes). With the price of the entry itself it is the price and its
 * edge.
 */
export function winChance(priceMicros: number, { ifWin, ifLoss }: Acceptance): number {
  const wins = priceMicros * ifWin;
  return wins / (wins + (1e6 - priceMicros) * ifLoss);
}
