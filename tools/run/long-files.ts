/**
 * The test files that take longest on a free machine, the longest first: a run begins with them, so
 * that none of them is what it ends with. Those that wait stand between those that compute. `npm
 * test` names the slowest files at its end.
 */
export const LONG_FILES: readonly string[] = [
  'test/payments/replicas/replicas',
  'test/payments/matrix/matrix',
  'test/payments/processes/processes',
  'test/payments/clients',
  'test/page/browser/pages',
  'test/server/compose/database/away',
  'test/payments/secrets',
  'test/server/cli/admin',
  'test/payments/stored-tokens',
  'test/server/adapters/tape/rating/rating',
  'test/payments/refused',
  'test/local/local-profile',
  'test/local/cluster/cluster',
  'test/server/services/tape/backfill',
  'test/server/services/wallets/unreadable',
  'test/client/purchase/purchases',
  'test/server/adapters/tape/history/formats',
  'test/server/services/ratings/backtest/backtest',
  'test/server/adapters/tape/imports/replace',
  'test/server/services/payments/payments',
  'test/payments/proofs',
  'test/server/cli/ratings',
  'test/local/chain/restart',
  'test/client/cli/local',
  'test/client/stdio/clients',
].map((path) => `dist/${path}.test.js`);
