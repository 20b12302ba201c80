import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { WalletProfile } from '#client/answers';
import { exchange } from '#client/http/http';
import { clientSystem } from '#client/system';
import { type GivenWallet, readWallet } from '#domain/inputs/wallet-text';
import { parseObject } from '#domain/json';
import { momentText, shortAddress } from '../../model/texts.js';
import { type WalletAnswer, walletAnswer } from '../../model/wallet/answer-kind.js';
import { BoughtRatings } from '../../model/wallet/bought-ratings.js';
import { isExample } from '../../model/wallet/read-address.js';
import { Buy } from '../pay/buy.js';
import { Locked } from './locked.js';
import { Profile } from './profile.js';
import { WalletAnswerView } from './wallet-answer-view.js';

export interface WalletViewProps {
  /** What is shown until a rating was bought. */
  readonly example: WalletProfile;
}

/** On the document while an address is given: the example is never seen under it. */
const ASKED = 'data-asked';

/**
 * The rating of the wallet in the address of the page, once it is paid for, and until then its
 * outline. Without an address: the documented example.
 */
export function WalletView({ example }: WalletViewProps) {
  const given = useSignal<GivenWallet>({ kind: 'none' });
  const answer = useSignal<WalletAnswer | null>(null);
  const { current: ratings } = useRef(new BoughtRatings());
  /** The rating that was bought before another wallet was looked at. */
  const before = useSignal<ReturnType<BoughtRatings['find']>>(null);
  const look = async () => {
    const found = readWallet(new URLSearchParams(location.search).get('address') ?? '');
    const rating = found.kind === 'address' ? ratings.find(found.address, clientSystem.clock.nowMs()) : null;
    const isSame = found.kind === 'address' && given.value.kind === 'address' && found.address === given.value.address;
    given.value = found;
    // The same wallet again: what was bought stays beside its receipt.
    if (isSame && rating !== null) return;
    before.value = rating;
    answer.value = rating;
    // Set before the first paint where the page was opened with an address (entries/theme.ts).
    document.documentElement.toggleAttribute(ASKED, found.kind === 'address');
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
      {before.value !== null && (
        <p class="note card">
          This rating was bought on this page before, and is valid until{' '}
          {momentText(before.value.profile.next_refresh_at)}: until then another purchase would bring the same one.
        </p>
      )}
      {address !== null && !isExample(address) && before.value === null && (
        <Buy
          key={address}
          wanted={{ tool: 'preflight_copy', args: { wallet: address, evidence: '1' } }}
          what={`the rating of ${shortAddress(address)}`}
          onAnswer={({ body }) => {
            const received = walletAnswer(body);
            ratings.keep(received);
            answer.value = received;
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
      {answer.value === null && address !== null && (
        <Locked address={shortAddress(address)} isLoading={isExample(address)} />
      )}
      {answer.value === null && address === null && (
        <section class="sample" aria-labelledby="example-title">
          <h2 id="example-title">
            What you get <span class="tag">Example, an invented wallet</span>
          </h2>
          <Profile profile={example} />
        </section>
      )}
    </>
  );
}

interface AddressFormProps {
  readonly given: GivenWallet;
  readonly onAsk: (text: string) => void;
}

/** Where a wallet is named. What is wrong with it is said beside it. */
function AddressForm({ given, onAsk }: AddressFormProps) {
  const typed = useSignal('');
  useEffect(() => {
    if (given.kind === 'address') typed.value = given.address;
  }, [given]);
  const isBad = given.kind === 'bad';
  return (
    <form
      class="address card"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(typed.value.trim());
      }}
    >
      <label for="wallet-address">Address of the wallet, or of its profile page</label>
      <div class="token-row">
        <input
          id="wallet-address"
          type="text"
          class="number"
          spellcheck={false}
          autocomplete="off"
          placeholder="0x…"
          value={typed.value}
          aria-describedby="wallet-note"
          aria-invalid={isBad}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit" class="main">
          Show wallet
        </button>
      </div>
      <p id="wallet-note" class={isBad ? 'fault foreign' : 'faint'} aria-live="polite">
        {isBad ? given.problem : 'Free examples of each outcome: 0x0000000000000000000000000000000000000001 to …0005.'}
      </p>
    </form>
  );
}

const ASK_MS_MAX = 10_000;

/** Asks for the free example of a documented wallet. Never rejects. */
async function exampleAnswer(wallet: string): Promise<WalletAnswer> {
  const url = `${location.origin}/api/preflight_copy?sandbox=1&wallet=${wallet}`;
  try {
    const signal = AbortSignal.timeout(ASK_MS_MAX);
    const { text } = await exchange((to, init) => fetch(to, init), { method: 'GET', url, body: null }, {}, signal);
    return walletAnswer(parseObject(text));
  } catch {
    return { kind: 'unreadable' };
  }
}
