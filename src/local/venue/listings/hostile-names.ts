import type { WalletAddress } from '#domain/ids';
import type { ExampleWallet } from '../history/example-wallets.js';
import { type EventSpec, eventOfOne, FEES } from '../market/market-spec.js';
import type { VenueWallet } from '../market/wallets.js';

/**
 * What strangers may call their markets and themselves. Each does something to whoever takes a name
 * for more than text.
 */
const HOSTILE_NAMES = {
  markup: '<img src=x onerror="document.title=\'taken\'"><h1 id="taken">taken</h1>&lt;b&gt;',
  script: '</script><script>document.title="taken"</script>{{7*7}}',
  'bidi-marks': '\u202e\u2066taken txt.exe\u202d\u2067 \u200f0.99\u0000\u001b[2J',
  'ten-thousand-letters': `taken${'W'.repeat(10_000)}`,
} as const;

const NAMES = Object.values(HOSTILE_NAMES);

/**
 * A market for each of the names: as its question, as the title of its event, and in the labels of
 * both outcomes.
 */
export const hostileEvents: readonly EventSpec[] = Object.entries(HOSTILE_NAMES).map(([kind, name]) =>
  eventOfOne(
    {
      slug: `strange-name-${kind}`,
      question: name,
      purpose: `its name and its outcomes hold ${kind.replaceAll('-', ' ')}`,
      outcomes: [`1 ${name}`, `2 ${name}`],
      fee: FEES.general,
    },
    {},
    ['Strangers'],
  ),
);

export const HOSTILE_SLUGS: readonly string[] = hostileEvents.flatMap(({ markets }) => markets.map(({ slug }) => slug));

/** Returns the wallet under one of the names, the same one each time. */
export function underHostileName<Wallet extends VenueWallet | ExampleWallet>(wallet: Wallet): Wallet {
  return wallet.name === '' ? wallet : { ...wallet, name: nameOf(wallet.address) };
}

function nameOf(address: WalletAddress): string {
  return NAMES[Number(BigInt(address) % BigInt(NAMES.length))]!;
}
