import { compose } from '#compose/compose';
import type { CrashPoints } from '#ports/crash-point';
import type { Log } from '#ports/log';
import { openPromo, openStage, type StageOptions } from './stage.js';
import { recordWalletHistory } from './wallet-history.js';
import { welcome } from './welcome.js';

export interface LocalOptions extends StageOptions {
  /** null: nothing is armed. */
  readonly crash: CrashPoints | null;
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
  const { config, crash, print } = options;
  const stage = await openStage(options);
  const { log, notReal } = stage;
  const isOurs = config.walletJobs !== 'off' && config.venue === null;
  const history = isOurs
    ? recordWalletHistory(config.dataDir, stage.venueUrls, stage.exampleWallets)
    : Promise.resolve();
  history.catch((err: unknown) => log.error({ err }, 'the history of the local wallets could not be recorded'));
  print(
    isOurs ? 'starting the service; the history of the local wallets is recorded beside it' : 'starting the service',
  );
  const service = await compose(stage.config, log, crash, history, notReal ?? undefined);
  await service.start();
  const promoCode = await openPromo(service.credits);
  stage.writeFacts(promoCode);
  return {
    welcome: welcome(stage.welcomeFacts(promoCode)),
    log,
    async stop() {
      await service.stop();
      await stage.stop();
    },
  };
}
