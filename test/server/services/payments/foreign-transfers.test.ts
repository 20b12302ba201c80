import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import { describeForeignTransfers } from '#services/payments/foreign-transfers';
import { DEMAND } from '#test/support/signed-payments';
import { HEAD, newPayment, type PaymentsRig, startPaymentsRig } from '../support/payments-rig.js';

describe('transfers to the payee', () => {
  let rig: PaymentsRig;
  beforeEach(async () => {
    rig = await startPaymentsRig();
  });
  afterEach(() => rig.close());

  const OLD = { blockNumber: HEAD - 100, logIndex: 8 };
  const described = () =>
    describeForeignTransfers({ payTo: DEMAND.payTo as WalletAddress, asset: DEMAND.asset }, rig.deps);

  it('that this store settled are known to it', async () => {
    await rig.pay(newPayment(rig.clock));
    await rig.pass(10_000);
    const [proven] = (await rig.store.listing.transfers(null, 10)).items;
    // The transfer itself is the log behind the use of its authorization.
    rig.chain.transfers = [{ ...OLD, transaction: proven!.transaction, logIndex: proven!.logIndex + 1 }];
    expect(await described()).to.equal(null);
  });

  it('that it did not settle are told of, with their transactions', async () => {
    rig.chain.transfers = [{ ...OLD, transaction: '0xfeed' }];
    expect(await described()).to.match(
      /^1 of 1 transfers to 0x\w+ in the last hour were not settled.*0xfeed.*PAYEE_ADDRESS/,
    );
  });

  it('are not judged while they may be payments whose receipt was not looked at yet', async () => {
    rig.chain.transfers = [{ ...OLD, blockNumber: HEAD - 10, transaction: '0xfeed' }];
    expect(await described()).to.equal(null);
  });

  it('are not judged where the chain cannot be asked', async () => {
    rig.chain.transfers = null;
    expect(await described()).to.equal(null);
    rig.chain.transfers = [{ ...OLD, transaction: '0xfeed' }];
    rig.chain.head = null;
    expect(await described()).to.equal(null);
  });
});
