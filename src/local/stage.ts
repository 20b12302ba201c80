import { join, resolve } from 'node:path';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import type { Service } from '#compose/compose';
import { makePlaces } from '#compose/places';
import { toChecksum } from '#config/checksum';
import type { LocalConfig } from '#config/config';
import type { VenueUrls } from '#config/venue-urls';
import { toWallet } from '#domain/ids';
import type { Log } from '#ports/log';
import { createLogger, destination } from '#server/log';
import { refuseIfTaken, refuseIfUp } from './is-up.js';
import { openLocalKeys, writePrivately } from './keys.js';
import { type MoneyOptions, startMoney } from './money.js';
import { DATA_DIR_USUAL } from './pay-facts.js';
import type { ExampleWallet } from './venue/history/example-wallets.js';
import { HOSTILE_SLUGS } from './venue/listings/hostile-names.js';
import { readRecording, summaryOf } from './venue/recording/recording.js';
import { type LocalMarket, type LocalVenue, startLocalVenue } from './venue/start-local-venue.js';
import type { WelcomeFacts } from './welcome.js';

/** What every wallet gets from the local promo code, and for how many wallets the code is good. */
const PROMO = { credits: 500, walletsMax: 1_000_000, days: 3_650 } as const;
const EXAMPLE_SLUG = 'will-arcadia-call-a-snap-election-by-december-31';

/** What the page shows first moves; the last one hardly does. */
const DEMO_SLUGS = [
  'will-the-meridian-100-close-above-9000-this-month',
  'mlb-hbr-rvt-2026-07-18',
  'will-the-northgate-ceasefire-hold-through-2026',
  'will-the-long-tide-win-best-picture',
];

export interface StageOptions extends MoneyOptions {
  /**
   * A recording to serve instead of the simulated markets' example; path of a .csv or .jsonl, maybe
   * .gz.
   */
  readonly recording: string | null;
  /** How much faster than recorded it is played. */
  readonly speed: number;
  /** Whether markets and wallets have names that are not only words. */
  readonly hostileNames: boolean;
  /** Share of the venue's answers and messages that go wrong as the real one's do. */
  readonly mishaps: number;
}

/**
 * What the service of the local profile stands on: a venue, a chain with a facilitator, and who is
 * paid.
 */
export interface Stage {
  readonly log: Log;
  readonly logFile: string;
  /** What the environment named, and what is embedded for what it did not name. */
  readonly config: LocalConfig & { readonly venue: VenueUrls; readonly payee: ReturnType<typeof toWallet> };
  readonly venueUrls: VenueUrls;
  readonly exampleWallets: readonly ExampleWallet[];
  /** What is not real, in one sentence; null if payments may be real. */
  readonly notReal: string | null;
  /** Writes local.json for scripts. */
  writeFacts(promoCode: string, more?: object): void;
  /** What a person is shown. */
  welcomeFacts(promoCode: string): WelcomeFacts;
  stop(): Promise<void>;
}

/**
 * Starts everything that the service of the local profile needs. Rejects if the data directory or
 * the port is in use.
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { config, recording, speed, hostileNames, mishaps, print } = options;
  await refuseIfUp(config.dataDir);
  await refuseIfTaken(config);
  makePlaces(config);
  const logFile = join(config.dataDir, 'preflight.log');
  const log = createLogger(config.logLevel, destination({ dest: logFile, sync: true }));
  const keys = openLocalKeys(join(config.dataDir, 'local-keys.json'));
  const read = recording === null ? null : await readRecording(recording);
  if (read !== null) print(summaryOf(read));
  const played = read === null ? {} : { recording: { recording: read, speed } };
  print('starting the simulated venue');
  const venue = await startLocalVenue({ clock: systemClock, hostileNames, mishaps, ...played });
  const money = await startMoney(options, keys, log);
  const venueUrls = urlsOf(venue);
  const payee = config.payee ?? toWallet(keys.payee.address);
  const example = exampleOf(venue, recording !== null);
  const wallets = walletsByUse(venue);
  const notReal = whatIsNotReal(config);
  return {
    log,
    logFile,
    config: {
      ...config,
      demoMarkets: demoMarkets(config, example, hostileNames),
      payee,
      venue: config.venue ?? venueUrls,
      ...money.urls,
    },
    venueUrls,
    exampleWallets: venue.exampleWallets,
    notReal,
    writeFacts: (promoCode, more = {}) =>
      writePrivately(join(config.dataDir, 'local.json'), {
        url: config.baseUrl,
        rpcUrl: money.rpcUrl,
        facilitator: money.facilitator,
        usdc: toChecksum(config.usdc),
        payee: toChecksum(payee),
        demoWallet: keys.demoWallet,
        promoCode,
        exampleSlug: example.slug,
        exampleOutcome: example.outcomes[0]!.label,
        exampleTokenId: example.outcomes[0]!.tokenId,
        exampleWallets: wallets,
        venue: { ...venueUrls, controlUrl: venue.controlUrl },
        ...more,
      }),
    welcomeFacts: (promoCode) => ({
      url: config.baseUrl,
      promoCode,
      walletAddress: randomAddress(),
      example,
      wallets,
      markets: venue.markets,
      logFile,
      notReal,
      dataDir: resolve(config.dataDir) === resolve(DATA_DIR_USUAL) ? null : resolve(config.dataDir),
      noChain: money.unavailable,
    }),
    async stop() {
      await money.stop();
      await venue.close();
    },
  };
}

/**
 * Returns the sentence for those who might take this for the real thing: chain id, token and
 * network have the names of the real ones, so that clients need no change. null if payments go to a
 * facilitator of the environment, which may be real.
 */
function whatIsNotReal({ facilitatorUrls, venue }: LocalConfig): string | null {
  if (facilitatorUrls.length > 0) return null;
  return venue === null
    ? 'LOCAL SIMULATION: everything is simulated; no real money, no real markets.'
    : 'LOCAL SIMULATION: chain and USDC are simulated; no real money.';
}

function urlsOf({ gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl }: LocalVenue): VenueUrls {
  return { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl };
}

/** One code per store, made on the first start. */
export async function openPromo(credits: Pick<Service['credits'], 'listPromos' | 'createPromo'>): Promise<string> {
  const existing = (await credits.listPromos()).find((promo) => promo.code.startsWith('LOCAL-'));
  if (existing !== undefined) return existing.code;
  const code = `LOCAL-${hex(4).toUpperCase()}`;
  await credits.createPromo({ code, ...PROMO });
  return code;
}

/** The market of the recording, or the one that reads best; any with a book will do. */
function exampleOf(venue: LocalVenue, recorded: boolean): LocalMarket {
  const withBook = venue.markets.filter((market) => market.hasBook);
  const wanted = recorded ? withBook.at(-1) : withBook.find((market) => market.slug === EXAMPLE_SLUG);
  return wanted ?? withBook[0]!;
}

/**
 * The example of all commands comes first. The markets of another venue are its operator's to name.
 */
function demoMarkets(
  { demoMarkets: named, venue }: LocalConfig,
  example: LocalMarket,
  hostileNames: boolean,
): readonly string[] {
  if (named.length > 0 || venue !== null) return named;
  return [example.slug, ...(hostileNames ? HOSTILE_SLUGS : DEMO_SLUGS)];
}

/** One wallet for each thing that preflight_copy can answer. */
function walletsByUse({ exampleWallets }: LocalVenue): WelcomeFacts['wallets'] {
  const first = (role: ExampleWallet['role']) => exampleWallets.find((wallet) => wallet.role === role)!.address;
  return {
    skilled: first('skilled'),
    loser: first('loser'),
    unseen: first('visitor'),
    neverTraded: first('never-traded'),
  };
}

/**
 * Credits are keyed to an address; a fresh one each start lets the printed commands work each time.
 */
function randomAddress(): string {
  return `0x${hex(20)}`;
}

function hex(bytes: number): string {
  return Buffer.from(systemRandom.bytes(bytes)).toString('hex');
}
