import { expect } from 'chai';
import { type GuardOptions, guard, OrderRefused } from '#client/guard/index';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { ended, GuardWorld } from './support/guard-world.js';
import { TS_SDK } from './support/official-clients.js';

const ORDERS = ['placeLimitOrder', 'placeMarketOrder', 'postOrder', 'postOrders'];
const REFUSED = ['depositToPerps', 'openPerpsSession', 'openRfqSession'];
/** What gets money or shares back, or moves them for as much of the other. */
const PASSES = [
  'approveErc1155ForAll',
  'approveErc20',
  'executeCollateralReturnPlan',
  'mergePositions',
  'redeemPositions',
  'revokePerpsCredentials',
  'setupTradingApprovals',
  'splitPosition',
  'transferErc20',
  'withdrawFromPerps',
];
const SENDS_NOTHING = /^(cancel|create|download|drop|estimate|fetch|list|plan|search|subscribe|wait)[A-Z]?/;

type Methods = Record<string, () => Promise<unknown>>;

describe('the guard before what @polymarket/client trades by beside orders', function () {
  this.timeout(PROCESS_TEST_MS);
  let world: GuardWorld;
  let raw: Methods;
  before(async () => {
    world = await GuardWorld.start();
  });
  after(() => world?.stop());
  beforeEach(async () => {
    world.reset();
    raw = (await TS_SDK.make(world.door.url)) as Methods;
  });

  /** How a call of each method ended, where the client's own answers "done". */
  async function endsOf(names: readonly string[], options: Partial<GuardOptions> = {}) {
    for (const name of names) raw[name] = async () => 'done';
    const guarded = guard(raw, world.options(options));
    return Promise.all(names.map((name) => ended(guarded[name]!())));
  }

  it('refuses sessions and deposits, frozen or not, and says what to do instead', async () => {
    for (const options of [{}, { perDayUsd: 0 }, { throwOnError: false }]) {
      for (const [at, end] of (await endsOf(REFUSED, options)).entries()) {
        const error = 'error' in end ? end.error : null;
        expect(error, JSON.stringify(end)).to.be.instanceOf(OrderRefused).and.include({ rule: 'unguarded' });
        expect(error!.message)
          .to.include(REFUSED[at])
          .and.match(/on the client itself.+Nothing was sent$/);
      }
    }
  });

  it('lets all else pass, and in shadow mode sessions too', async () => {
    const done = { answer: 'done' };
    expect(await endsOf(PASSES)).to.deep.equal(PASSES.map(() => done));
    expect(await endsOf(REFUSED, { mode: 'shadow' })).to.deep.equal(REFUSED.map(() => done));
  });

  it('knows every method of the client that may send something', () => {
    const methods = Object.keys(raw).filter((name) => typeof raw[name] === 'function' && !SENDS_NOTHING.test(name));
    expect(methods.sort()).to.deep.equal([...ORDERS, ...REFUSED, ...PASSES].sort());
  });
});
