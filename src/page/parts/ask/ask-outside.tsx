import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type AskPlainly, askTerms, type Terms, type TermsAnswer } from '../../model/ask/ask-terms.js';
import { curlLine, outsideRequest } from '../../model/ask/outside-request.js';
import type { OrderFields } from '../../model/order/order-input.js';
import { wantedBy } from '../../model/pay/bought.js';
import { mayBeOpen } from '../../model/pay/open-key.js';
import { tabStorage } from '../pay/tab-storage.js';
import { BuyVerdict } from './buy-verdict.js';

interface AskOutsideProps {
  readonly baseUrl: string;
  readonly fields: OrderFields;
  readonly ask: AskPlainly;
}

/**
 * The same order on any market of the venue: the exact request, what it costs, and how to send it.
 */
export function AskOutside({ baseUrl, fields, ask }: AskOutsideProps) {
  const named = useSignal('');
  const requested = useSignal<{ readonly path: string; readonly answer: TermsAnswer | null } | null>(null);
  const request = outsideRequest(named.value, fields);
  const path = request.kind === 'request' ? request.path : null;
  // Terms that somebody may be paying on stay where they are, with the request that they are for.
  const isStored = requested.value?.answer?.kind === 'terms';
  const current = requested.value?.path === path || isStored ? requested.value : null;
  const askNow = async () => {
    if (path === null) return;
    requested.value = { path, answer: null };
    const answer = await askTerms(path, ask);
    if (requested.value?.path === path) requested.value = { path, answer };
  };
  return (
    <>
      <OpenOrder />
      <details class="outside">
        <summary>Another market</summary>
        <label for="outside-market">Address or slug of the market, or a token id</label>
        <input
          id="outside-market"
          type="text"
          autoComplete="off"
          spellcheck={false}
          maxLength={512}
          placeholder="https://polymarket.com/event/…"
          value={named.value}
          aria-describedby="outside-fault"
          onInput={(event) => {
            named.value = event.currentTarget.value;
          }}
        />
        <p class="field-fault" id="outside-fault">
          {request.kind === 'invalid' ? request.why : null}
        </p>
        {path !== null && (
          <>
            <p>This is the request for the order above. It is paid, like every answer about a live market:</p>
            <pre class="foreign">GET {path}</pre>
            <button type="button" onClick={askNow}>
              Ask for the price (free)
            </button>
            <div aria-live="polite">{current !== null && <AnswerView requested={current.answer} />}</div>
            {current?.answer?.kind === 'terms' && <PayHere terms={current.answer.terms} path={current.path} />}
            <p>With a token of prepaid credits:</p>
            <pre class="foreign">{curlLine(baseUrl, path)}</pre>
          </>
        )}
      </details>
    </>
  );
}

function AnswerView({ requested }: { readonly requested: TermsAnswer | null }) {
  if (requested === null) return <p>Asking.</p>;
  return requested.kind === 'told' ? <p class="foreign">{requested.text}</p> : null;
}

/**
 * The terms of a payment in words, and the place for paying: `path` is the request that the payment
 * is for.
 */
function PayHere({ terms, path }: { readonly terms: Terms; readonly path: string }) {
  const wanted = wantedBy({ method: 'GET', url: `${location.origin}${path}`, body: null });
  const { priceUsdc, network, payTo, asset, withinS } = terms;
  return (
    <div class="terms" data-request={path}>
      <p>
        The service answered 402, payment required: <b class="number">{priceUsdc} USDC</b> on {network}, for this one
        answer. A payment that is signed for it is valid for {withinS} s; only an answer with status 200 is charged.
      </p>
      <dl>
        <dt>For</dt>
        <dd class="number foreign">GET {path}</dd>
        <dt>To</dt>
        <dd class="number foreign">{payTo}</dd>
        <dt>In the asset</dt>
        <dd class="number foreign">{asset}</dd>
      </dl>
      {wanted !== null && <BuyVerdict key={path} wanted={wanted} />}
    </div>
  );
}

/**
 * A verdict that was paid for when the page was last left, gone on with; nothing where there is
 * none.
 */
function OpenOrder() {
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = mayBeOpen(tabStorage(), 'preflight_trade');
  }, []);
  if (!isOpen.value) return null;
  return <BuyVerdict wanted={{ tool: 'preflight_trade', args: {} }} resumesAny />;
}
