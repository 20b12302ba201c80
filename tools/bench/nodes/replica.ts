import { openStore } from '#compose/credits';
import { chargedWallets, openCharging } from '../support/charging.js';
import { childOptions, serveParent } from '../support/children.js';
import { type Rate, rateOf } from '../support/concurrency.js';

/**
 * A replica of the credits service, which is asked to charge by so many callers of its own for a
 * while.
 */
export interface ReplicaOptions {
  readonly storeUrl: string;
  readonly dataDir: string;
  /** All callers of all replicas; its own are those from `first` on. */
  readonly wallets: number;
  readonly first: number;
  readonly runMs: number;
  readonly callers: readonly number[];
}

const { storeUrl, dataDir, wallets, first, runMs, callers } = childOptions<ReplicaOptions>();
const { store, credits } = await openStore({ storeUrl, dataDir, keysDir: dataDir });
const all = chargedWallets(wallets);
const charging = openCharging(credits, [...all.slice(first), ...all.slice(0, first)]);
const hot = openCharging(credits, all);
/** As the service does each second: what nobody says was answered is given back after a while. */
const settled = async (run: () => Promise<Rate> | Rate) => {
  const rate = await run();
  await credits.settleDebits();
  return rate;
};
const runs = callers.flatMap((count) => [
  [`one ${count}`, () => settled(rateOf('', hot.chargeOne, count, runMs).run)] as const,
  [`many ${count}`, () => settled(rateOf('', charging.chargeMany, count, runMs).run)] as const,
]);
const charged = () => charging.charged() + hot.charged();
serveParent({}, { ...Object.fromEntries(runs), charged }, () => store.close());
