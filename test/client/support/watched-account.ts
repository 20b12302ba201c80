import type { TypedDataToSign } from '#client/index';
import { newAccount } from '#test/support/signed-payments';

/** An account that notes what it signs. */
export function watchedAccount() {
  const account = newAccount();
  const signed: TypedDataToSign[] = [];
  const signTypedData: typeof account.signTypedData = (data) => {
    signed.push(data as unknown as TypedDataToSign);
    return account.signTypedData(data);
  };
  return { signed, account: { address: account.address, signTypedData } };
}
