const NOWHERE = 'http://127.0.0.1:9';
const URLS = ['VENUE_GAMMA_URL', 'VENUE_CLOB_URL', 'VENUE_DATA_URL', 'FACILITATOR_URLS', 'BASE_RPC_URLS'];

/**
 * Returns the settings of a service on loopback that reaches nobody: neither venue nor chain nor a
 * facilitator.
 */
export function unreachableOutside(dataDir: string, port: number | string): Record<string, string> {
  return {
    ...Object.fromEntries(URLS.map((name) => [name, NOWHERE])),
    VENUE_WS_URL: 'ws://127.0.0.1:9',
    VENUE_RTDS_URL: 'ws://127.0.0.1:9',
    BASE_URL: 'https://preflight.example',
    PAYEE_ADDRESS: `0x${'11'.repeat(20)}`,
    SUPPORT_EMAIL: 'help@preflight.example',
    WALLET_JOBS: 'off',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
  };
}
