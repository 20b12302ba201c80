import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WalletProfile } from '#client/answers';
import { shortAddress } from '../../model/texts.js';
import { type WalletAnswer, walletAnswer } from '../../model/wallet/answer-kind.js';
import { type GivenAddress, isExample, readAddress } from '../../model/wallet/read-address.js';
import { Buy } from '../pay/buy.js';
import { AddressForm } from './address-form.js';
import { exampleAnswer } from './example-answer.js';
import { Profile } from './profile.js';
import { WalletAnswerView } from './wallet-answer-view.js';

export interface WalletViewProps {
  /** What is shown until a rating was bought. */
  readonly example: WalletProfile;
}

/**
 * The rating of the wallet in the address of the page, once it is paid for; until then the
 * documented example.
 */
export function WalletView({ example }: WalletViewProps) {
  const given = useSignal<GivenAddress>({ kind: 'none' });
  const answer = useSignal<WalletAnswer | null>(null);
  const look = async () => {
    const found = readAddress(new URLSearchParams(location.search).get('address'));
    given.value = found;
    answer.value = null;
    if (found.kind !== 'address' || !isExample(found.address)) return;
    const received = await exampleAnswer(found.address);
    if (given.value === found) answer.value = received;
  };
  const ask = (text: string) => {
    // A change of the address keeps the page, and with it a token that was given.
    history.pushState(null, '', `/wallet?address=${encodeURIComponent(text.slice(0, 500))}`);
    void look();
  };
  useEffect(() => {
    void look();
    addEventListener('popstate', look);
    return () => removeEventListener('popstate', look);
  }, []);

  const address = given.value.kind === 'address' ? given.value.address : null;
  return (
    <>
      <AddressForm given={given.value} onAsk={ask} />
      {address !== null && !isExample(address) && (
        <Buy
          key={address}
          wanted={{ tool: 'preflight_copy', args: { wallet: address } }}
          what={`the rating of ${shortAddress(address)}`}
          onAnswer={({ body }) => {
            answer.value = walletAnswer(body);
          }}
        />
      )}
      {answer.value !== null && (
        <section aria-labelledby="answer-title">
          <h2 id="answer-title" class="visually-hidden">
            The answer
          </h2>
          <WalletAnswerView answer={answer.value} />
        </section>
      )}
      {answer.value === null && (
        <section aria-labelledby="example-title">
          <h2 id="example-title">
            What you get <span class="tag">Example, an invented wallet</span>
          </h2>
          <Profile profile={example} />
        </section>
      )}
    </>
  );
}
