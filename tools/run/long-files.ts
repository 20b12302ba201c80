/**
 * The test files that take longest on a free machine, the longest first: a run begins with them, so
 * that none of them is what it ends with. Those that wait stand between those that compute. `npm
 * test` names the slowest files at its end.
 */
export const LONG_FILES: readonly string[] = [
  'test/payments/matrix/matrix',
  'test/page/browser/pages',
  'test/payments/replicas/replicas',
  'test/local/cluster/cluster',
  'test/payments/processes/processes',
  'test/printed-blocks',
  'test/client/stdio/clients',
  'test/local/local-profile',
  'test/payments/clients',
  'test/server/compose/database/away',
  'test/server/adapters/tape/rating/rating',
  'test/client/cli/local',
  'test/server/services/tape/backfill',
  'test/payments/refused',
  'test/server/services/ratings/backtest/backtest',
  'test/local/chain/restart',
  'test/server/adapters/tape/imports/replace',
  'test/payments/secrets',
  'test/client/purchase/purchases',
  'test/server/adapters/tape/history/formats',
  'test/server/services/payments/payments',
  'test/agents/path-from-llms-txt',
  'test/server/cli/admin',
  'test/server/services/wallets/unreadable',
  'test/payments/stored-tokens',
  'test/payments/proofs',
  'test/server/cli/ratings',
].map((path) => `dist/${path}.test.js`);
