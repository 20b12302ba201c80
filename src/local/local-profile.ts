import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { compose, type Service } from '#compose/compose';
import { toChecksum } from '#config/checksum';
import type { LocalConfig } from '#config/config';
import { toWallet } from '#domain/ids';
import type { CrashPoints } from '#ports/crash-point';
import type { Log } from '#ports/log';
import { createLogger, destination } from '#src/log';
import { openChainKeys } from './chain/chain-keys.js';
import { LocalChain, startLocalChain } from './chain/local-chain.js';
import { type LocalFacilitator, startLocalFacilitator } from './chain/local-facilitator.js';
import { refuseIfUp } from './is-up.js';
import { type LocalKeys, openLocalKeys, writePrivately } from './keys.js';
import { DATA_DIR_USUAL } from './pay-facts.js';
import type { ExampleWallet } from './venue/history/example-wallets.js';
import { readRecording } from './venue/recording/recording.js';
import { type LocalMarket, type LocalVenue, startLocalVenue } from './venue/start-local-venue.js';
import { recordWalletHistory } from './wallet-history.js';
import { type WelcomeFacts, welcome } from './welcome.js';

/** What every wallet gets from the local promo code, and for how many wallets the code is good. */
const PROMO = { credits: 500, walletsMax: 1_000_000, days: 3_650 } as const;
/** 100 USDC. */
const DEMO_WALLET_MICROS = 100_000_000n;
const EXAMPLE_SLUG = 'will-arcadia-call-a-snap-election-by-december-31';

export interface LocalOptions {
  readonly config: LocalConfig;
  /** A recording to serve instead of the simulated markets' example; path of a .csv or .jsonl, maybe .gz. */
  readonly recording: string | null;
  /** How much faster than recorded it is played. */
  readonly speed: number;
  /** Path of an anvil to use instead of the installed one. */
  readonly anvilBin: string | null;
  /** null: nothing is armed. */
  readonly crash: CrashPoints | null;
  /** Is told what is being done, in a few words each time. */
  readonly tell: (what: string) => void;
}

/** The running local profile. */
export interface LocalProfile {
  /** What to show a person. */
  readonly welcome: string;
  readonly log: Log;
  stop(): Promise<void>;
}

/**
 * Starts the simulated venue, the local chain and the service on them, and writes local.json for
 * scripts (docs/architecture.md, "Local profile").
 */
export async function startLocalProfile(options: LocalOptions): Promise<LocalProfile> {
  const { config, recording, speed, crash, tell } = options;
  await refuseIfUp(config.dataDir);
  mkdirSync(config.dataDir, { recursive: true });
  const logFile = join(config.dataDir, 'preflight.log');
  const log = createLogger(config.logLevel, destination({ dest: logFile, sync: true }));
  const keys = openLocalKeys(join(config.dataDir, 'local-keys.json'));
  const played = recording === null ? {} : { recording: { recording: await readRecording(recording), speed } };
  tell('starting the simulated venue');
  const venue = await startLocalVenue({ clock: systemClock, ...played });
  const money = await startMoney(options, keys, log);
  const isOurs = config.walletJobs && config.venue === null;
  const history = isOurs ? recordWalletHistory(config.dataDir, urlsOf(venue), venue.exampleWallets) : Promise.resolve();
  history.catch((err: unknown) => log.error({ err }, 'the history of the local wallets could not be recorded'));
  tell(
    isOurs ? 'starting the service; the history of the local wallets is recorded beside it' : 'starting the service',
  );
  const service = compose(
    {
      ...config,
      payee: config.payee ?? toWallet(keys.payee.address),
      venue: config.venue ?? urlsOf(venue),
      ...money.urls,
    },
    log,
    crash,
    history,
    whatIsNotReal(config) ?? undefined,
  );
  await service.start();
  const promoCode = await openPromo(service);
  const example = exampleOf(venue, recording !== null);
  writePrivately(join(config.dataDir, 'local.json'), {
    url: config.baseUrl,
    rpcUrl: money.rpcUrl,
    facilitator: money.facilitator,
    usdc: toChecksum(config.usdc),
    payee: config.payee === null ? keys.payee.address : toChecksum(config.payee),
    demoWallet: keys.demoWallet,
    promoCode,
    exampleSlug: example.slug,
    exampleOutcome: example.outcomes[0]!.label,
    exampleTokenId: example.outcomes[0]!.tokenId,
    exampleWallets: walletsByUse(venue),
    venue: { ...urlsOf(venue), controlUrl: venue.controlUrl },
  });
  const facts = {
    url: config.baseUrl,
    promoCode,
    example,
    wallets: walletsByUse(venue),
    markets: venue.markets,
    logFile,
    notReal: whatIsNotReal(config),
    dataDir: resolve(config.dataDir) === resolve(DATA_DIR_USUAL) ? null : resolve(config.dataDir),
    noChain: money.unavailable,
  };
  return {
    welcome: welcome({ ...facts, walletAddress: randomAddress() }),
    log,
    async stop() {
      await service.stop();
      await money.stop();
      await venue.close();
    },
  };
}

/**
 * Returns the sentence for those who might take this for the real thing: chain id, token and network have the names of the
 * real ones, so that clients need no change. null if payments go to a facilitator of the environment, which may be real.
 */
function whatIsNotReal({ facilitatorUrls, venue }: LocalConfig): string | null {
  if (facilitatorUrls.length > 0) return null;
  return venue === null
    ? 'LOCAL SIMULATION: its chain, its USDC and its markets exist on one machine alone; nothing here is real.'
    : 'LOCAL SIMULATION: its chain and its USDC exist on one machine alone; no payment here is real.';
}

/** Where the local profile settles payments, or why it cannot. */
interface Money {
  readonly urls: Partial<Pick<LocalConfig, 'facilitatorUrls' | 'baseRpcUrls'>>;
  readonly rpcUrl: string | null;
  readonly facilitator: Pick<LocalFacilitator, 'url' | 'controlUrl'> | null;
  /** One sentence, where no chain runs here: then credits are the only lane. */
  readonly unavailable: string | null;
  stop(): Promise<void>;
}

/** Starts a chain and a facilitator, unless the environment names others, and gives the demo wallet its first money. */
async function startMoney({ config, anvilBin, tell }: LocalOptions, keys: LocalKeys, log: Log): Promise<Money> {
  const without = { rpcUrl: null, facilitator: null, stop: async () => {} };
  if (config.facilitatorUrls.length > 0) return { ...without, urls: {}, unavailable: null };
  tell('starting the local chain');
  const chainKeys = openChainKeys(join(config.dataDir, 'chain-keys.json'));
  const chain = await startLocalChain({ dataDir: config.dataDir, keys: chainKeys, anvilBin, log });
  if (!(chain instanceof LocalChain)) return { ...without, urls: {}, unavailable: chain.unavailable };
  const { address } = keys.demoWallet;
  if ((await chain.balanceOf(address)) === 0n) await chain.mint(address, DEMO_WALLET_MICROS);
  const facilitator = await startLocalFacilitator({ chain });
  return {
    urls: { facilitatorUrls: [facilitator.url], baseRpcUrls: [chain.rpcUrl] },
    rpcUrl: chain.rpcUrl,
    facilitator: { url: facilitator.url, controlUrl: facilitator.controlUrl },
    unavailable: null,
    async stop() {
      await facilitator.stop();
      await chain.stop();
    },
  };
}

function urlsOf({ gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl }: LocalVenue) {
  return { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl };
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

/** Credits are keyed to an address; a fresh one each start lets the printed commands work each time. */
function randomAddress(): string {
  return `0x${hex(20)}`;
}

function hex(bytes: number): string {
  return Buffer.from(systemRandom.bytes(bytes)).toString('hex');
}
