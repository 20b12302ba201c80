/**
 * The venue's exchange contracts on Polygon, plain and negRisk: V1 until 2026-04-28, V2 since; and
 * the one of combos (docs/venue.md, "Exchange contracts").
 */
export const EXCHANGES = [
  '0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E',
  '0xC5d563A36AE78145C45a50134d48A1215220f80a',
  '0xE111180000d2663C0091e4f400237545B87B996B',
  '0xe2222d279d744050d28e00520010520000310F59',
  '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa',
] as const;

const COMBO_EXCHANGE = EXCHANGES[4].toLowerCase();

/** Whether a contract exchanges combos: bets on several markets at once, of which no rating knows. */
export function isComboExchange(address: string): boolean {
  return address.toLowerCase() === COMBO_EXCHANGE;
}
