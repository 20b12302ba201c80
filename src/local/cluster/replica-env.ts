import { fileURLToPath } from 'node:url';
import type { Env } from '#config/config';
import type { Stage } from '../stage.js';
import type { SharedStore } from './shared-store.js';

/** What is a replica's own. */
export interface ReplicaLocation {
  readonly id: string;
  readonly port: number;
  readonly folder: string;
}

/** Of the process that starts them, and not for its replicas. */
const NOT_PASSED_ON = { METRICS_PORT: '', CRASH_AT: '' } as const;

/**
 * Returns the command line of a replica, which lies beside what starts it, bundled or not.
 * `notReal` is a sentence for all who read its payment terms.
 */
export function replicaScript(notReal: string | null): readonly string[] {
  const script = fileURLToPath(new URL('./replica-main.js', import.meta.url));
  return notReal === null ? [script] : [script, notReal];
}

/**
 * Returns the environment of a replica: that of this process, with everything that the local
 * profile embeds named, its own address and folder, and the proxy as the one that is believed about
 * where callers are.
 */
export function replicaEnv(
  env: Env,
  config: Stage['config'],
  { id, port, folder }: ReplicaLocation,
  store: Pick<SharedStore, 'url' | 'keysDir'>,
): Env {
  const { venue } = config;
  return {
    ...env,
    ...NOT_PASSED_ON,
    PREFLIGHT_PROFILE: 'local',
    REPLICA_ID: id,
    STORE_URL: store.url,
    KEYS_DIR: store.keysDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: config.baseUrl,
    TRUSTED_PROXIES: ['127.0.0.1', ...config.trustedProxies].join(','),
    DATA_DIR: folder,
    DEMO_MARKETS: config.demoMarkets.join(','),
    VENUE_GAMMA_URL: venue.gammaUrl,
    VENUE_CLOB_URL: venue.clobUrl,
    VENUE_WS_URL: venue.wsUrl,
    VENUE_DATA_URL: venue.dataUrl,
    VENUE_RTDS_URL: venue.rtdsUrl,
    PAYEE_ADDRESS: config.payee,
    FACILITATOR_URLS: config.facilitatorUrls.join(','),
    BASE_RPC_URLS: config.baseRpcUrls.join(','),
    EXPLORER_URL: config.explorerUrl,
  };
}
