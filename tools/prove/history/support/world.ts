import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'mocha';
import { migrate } from '#adapters/postgres/migrate';
import { systemClock } from '#adapters/process/system-clock';
import { type CreditsModule, openStore } from '#compose/credits';
import { startEmbeddedPostgres } from '#local/postgres/embedded';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { type CuttingProxy, startCuttingProxy, throughProxy } from '#test/support/cutting-proxy';
import { ownPostgres } from '#test/support/postgres';
import { tempFolder } from '#test/support/temp-folder';
import { Replica } from './replica.js';

const PAYEE = `0x${'11'.repeat(20)}`;
/** A replica does not start while its database is away. */
const START_AGAIN_MS = 300;

type OwnPostgres = Awaited<ReturnType<typeof ownPostgres>>;

/**
 * A place where a replica runs, life after life, behind a connection to the database of its own.
 */
export interface Site {
  readonly proxy: CuttingProxy;
  /** Null while it is dead. */
  replica: Replica | null;
}

/** Replicas of the service on one PostgreSQL, all of which can be hurt. */
export class HistoryWorld {
  readonly sites: readonly Site[];
  /** As an operator has it, straight to the database. */
  readonly home: CreditsModule;
  readonly #folder: string;
  readonly #venue: LocalVenue;
  #postgres: OwnPostgres;
  #isStopping = false;

  private constructor(
    parts: Pick<HistoryWorld, 'sites' | 'home'> & { folder: string; venue: LocalVenue; postgres: OwnPostgres },
  ) {
    this.sites = parts.sites;
    this.home = parts.home;
    this.#folder = parts.folder;
    this.#venue = parts.venue;
    this.#postgres = parts.postgres;
  }

  /** Skips the suite, loudly, where no PostgreSQL runs. */
  static async start(context: Context, replicas: number): Promise<HistoryWorld> {
    const postgres = await ownPostgres(context);
    await migrate(postgres.url);
    const folder = tempFolder('history');
    const venue = await startLocalVenue({ clock: systemClock });
    const dirs = { dataDir: join(folder, 'operator'), keysDir: join(folder, 'keys') };
    const home = await openStore({ ...dirs, storeUrl: postgres.url });
    const openSite = async () => ({ proxy: await startCuttingProxy(postgres.port), replica: null });
    const sites = await Promise.all(Array.from({ length: replicas }, openSite));
    const world = new HistoryWorld({ sites, home, folder, venue, postgres });
    await Promise.all(sites.map((site) => world.revive(site)));
    return world;
  }

  /** A market that can be asked about. */
  get slug(): string {
    return this.#venue.markets.find(({ hasBook, groupItemTitle }) => hasBook && groupItemTitle !== 'Other')!.slug;
  }

  /** Starts a replica where none is alive, as often as it takes. */
  async revive(site: Site): Promise<void> {
    while (!this.#isStopping) {
      const replica = await Replica.start(this.#envOf(site)).catch((error: Error) => {
        if (this.#isStopping) throw error;
        return null;
      });
      if (replica !== null) {
        site.replica = replica;
        return;
      }
      await sleep(START_AGAIN_MS);
    }
  }

  async kill(site: Site): Promise<void> {
    const { replica } = site;
    site.replica = null;
    await replica?.kill();
  }

  /** As a loss of power; then it starts again on what is on its disk. */
  async killPostgres(): Promise<void> {
    const { port, folder } = this.#postgres;
    await this.#postgres.kill();
    const started = await startEmbeddedPostgres({ folder, port });
    if (started.kind === 'absent') throw new Error(`PostgreSQL does not start again: ${started.why}`);
    this.#postgres = { ...this.#postgres, ...started.server };
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.sites.map((site) => this.kill(site)));
    await this.home.store.close();
    await Promise.all(this.sites.map(({ proxy }) => proxy.close()));
    await this.#venue.close();
    await this.#postgres.kill();
    rmSync(this.#postgres.folder, { recursive: true, force: true });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #envOf(site: Site): Record<string, string> {
    const { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl } = this.#venue;
    return {
      PREFLIGHT_PROFILE: 'local',
      DATA_DIR: join(this.#folder, `replica-${this.sites.indexOf(site)}`),
      KEYS_DIR: join(this.#folder, 'keys'),
      STORE_URL: throughProxy(this.#postgres.url, site.proxy),
      PORT: '0',
      BASE_URL: 'http://127.0.0.1',
      TRUSTED_PROXIES: '127.0.0.1',
      PAYEE_ADDRESS: PAYEE,
      WALLET_JOBS: 'off',
      VENUE_GAMMA_URL: gammaUrl,
      VENUE_CLOB_URL: clobUrl,
      VENUE_DATA_URL: dataUrl,
      VENUE_WS_URL: wsUrl,
      VENUE_RTDS_URL: rtdsUrl,
    };
  }
}
