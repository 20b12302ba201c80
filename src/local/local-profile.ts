import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#adapters/system-clock';
import { systemRandom } from '#adapters/system-random';
import { compose, type Service } from '#src/compose';
import type { LocalConfig } from '#src/config';
import { createLogger, destination, type Logger } from '#src/log';
import { openLocalKeys, writePrivately } from './keys.js';
import { readRecording } from './venue/recording.js';
import { type LocalMarket, type LocalVenue, startLocalVenue } from './venue/start-local-venue.js';
import { welcome } from './welcome.js';

/** What every wallet gets from the local promo code, and for how many wallets the code is good. */
const PROMO = { credits: 500, walletsMax: 1_000_000, days: 3_650 } as const;
const EXAMPLE_SLUG = 'will-arcadia-call-a-snap-election-by-december-31';

export interface LocalOptions {
  readonly config: LocalConfig;
  /** A recording to serve instead of the simulated markets' example; path of a .csv or .jsonl, maybe .gz. */
  readonly recording: string | null;
  /** How much faster than recorded it is played. */
  readonly speed: number;
}

/** The running local profile. */
export interface LocalProfile {
  /** What to show a person. */
  readonly welcome: string;
  readonly log: Logger;
  stop(): Promise<void>;
}

/** Starts the simulated venue and the service on it, and writes local.json for scripts (architecture, section 8). */
export async function startLocalProfile({ config, recording, speed }: LocalOptions): Promise<LocalProfile> {
  mkdirSync(config.dataDir, { recursive: true });
  const logFile = join(config.dataDir, 'preflight.log');
  const log = createLogger(config.logLevel, destination({ dest: logFile, sync: true }));
  const keys = openLocalKeys(join(config.dataDir, 'local-keys.json'));
  const played = recording === null ? {} : { recording: { recording: await readRecording(recording), speed } };
  const venue = await startLocalVenue({ clock: systemClock, ...played });
  const service = compose(
    {
      ...config,
      payeeAddress: config.payeeAddress ?? keys.payee.address,
      venue: config.venue ?? { ...urlsOf(venue), rtdsUrl: venue.wsUrl },
    },
    log,
  );
  await service.start();
  const promoCode = await openPromo(service);
  const example = exampleOf(venue, recording !== null);
  writePrivately(join(config.dataDir, 'local.json'), {
    url: config.baseUrl,
    usdc: config.usdcAddress,
    payee: keys.payee.address,
    demoWallet: keys.demoWallet,
    promoCode,
    exampleSlug: example.slug,
    exampleTokenId: example.outcomes[0]!.tokenId,
    venue: { ...urlsOf(venue), controlUrl: venue.controlUrl },
  });
  const facts = { url: config.baseUrl, promoCode, example, markets: venue.markets, logFile };
  return {
    welcome: welcome({ ...facts, walletAddress: randomAddress() }),
    log,
    async stop() {
      await service.stop();
      await venue.close();
    },
  };
}

function urlsOf({ gammaUrl, clobUrl, dataUrl, wsUrl }: LocalVenue) {
  return { gammaUrl, clobUrl, dataUrl, wsUrl };
}

/** One code per data directory, made on the first start. */
async function openPromo({ credits }: Service): Promise<string> {
  const known = (await credits.listPromos()).find((promo) => promo.code.startsWith('LOCAL-'));
  if (known !== undefined) return known.code;
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

/** Credits are keyed to an address; a fresh one each start lets the printed commands work each time. */
function randomAddress(): string {
  return `0x${hex(20)}`;
}

function hex(bytes: number): string {
  return Buffer.from(systemRandom.bytes(bytes)).toString('hex');
}
