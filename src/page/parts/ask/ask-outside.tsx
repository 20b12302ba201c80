import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type AskPlainly, askTerms, type Terms, type TermsAnswer } from '../../model/ask/ask-terms.js';
import { orderWords } from '../../model/ask/order-words.js';
import { curlLine, OUTSIDE_START, outsideRequest } from '../../model/ask/outside-request.js';
import type { OrderFields } from '../../model/order/order-input.js';
import { wantedBy } from '../../model/pay/bought.js';
import { mayBeOpen } from '../../model/pay/open-key.js';
import { tabStorage } from '../pay/tab-storage.js';
import { BuyVerdict } from './buy-verdict.js';
import { OutsideFields } from './outside-fields.js';

/** A request whose price was asked for; no answer: it is awaited. */
interface Requested {
  readonly path: string;
  readonly args: Readonly<Record<string, string>>;
  readonly answer: TermsAnswer | null;
}

interface AskOutsideProps {
  readonly baseUrl: string;
  readonly fields: OrderFields;
  readonly ask: AskPlainly;
}

/**
 * The same order on any market of the venue: the exact request, what it costs, and how to send it.
 */
export function AskOutside({ baseUrl, fields, ask }: AskOutsideProps) {
  const choice = useSignal(OUTSIDE_START);
  const requested = useSignal<Requested | null>(null);
  const isBegun = useSignal(false);
  const request = outsideRequest(choice.value, fields);
  const path = request.kind === 'request' ? request.path : null;
  // The price of an order that is not the chosen one any more goes, unless it is being paid.
  const current = requested.value?.path === path || isBegun.value ? requested.value : null;
  const askNow = async () => {
    if (request.kind !== 'request') return;
    const { path, args } = request;
    isBegun.value = false;
    requested.value = { path, args, answer: null };
    const answer = await askTerms(path, ask);
    if (requested.value?.path === path) requested.value = { path, args, answer };
  };
  return (
    <>
      <OpenOrder />
      <details class="outside">
        <summary>Another market</summary>
        <OutsideFields choice={choice} request={request} />
        {request.kind === 'invalid' && request.field === 'order' && (
          <p class="field-fault" role="alert">
            The size or a limit of your order cannot be sent. {request.why}
          </p>
        )}
        {request.kind === 'request' && (
          <>
            <p class="foreign" id="outside-order">
              <b>{orderWords(request.args)}.</b>
            </p>
            <p>
              You pay for one verdict on this order, with the size and limits above. Preflight sends no order. The exact
              request:
            </p>
            <pre class="foreign">GET {path}</pre>
            <button type="button" onClick={askNow}>
              Ask for the price (free)
            </button>
          </>
        )}
        <div aria-live="polite">{current !== null && <AnswerView requested={current.answer} />}</div>
        {current?.answer?.kind === 'terms' && (
          <PayHere terms={current.answer.terms} path={current.path} args={current.args} isBegun={isBegun} />
        )}
        {path !== null && (
          <>
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
  return requested.kind === 'notice' ? <p class="foreign">{requested.text}</p> : null;
}

interface PayHereProps {
  readonly terms: Terms;
  /** The request that the payment is for. */
  readonly path: string;
  readonly args: Readonly<Record<string, string>>;
  /** Is set once a payment was begun. */
  readonly isBegun: Signal<boolean>;
}

/** The terms of a payment in words, and the place for paying. */
function PayHere({ terms, path, args, isBegun }: PayHereProps) {
  const wanted = wantedBy({ method: 'GET', url: `${location.origin}${path}`, body: null });
  const words = orderWords(args);
  const { priceUsdc, network, payTo, asset, withinS } = terms;
  return (
    <div class="terms" data-request={path}>
      <p>
        The service answered 402, payment required: <b class="number">{priceUsdc} USDC</b> on {network}, for this one
        answer. A payment that is signed for it is valid for {withinS} s; only an answer with status 200 is charged.
      </p>
      <dl>
        <dt>For a verdict on</dt>
        <dd class="foreign">{words}</dd>
        <dt>To</dt>
        <dd class="number foreign">{payTo}</dd>
        <dt>In the asset</dt>
        <dd class="number foreign">{asset}</dd>
      </dl>
      {wanted !== null && (
        <BuyVerdict
          key={path}
          wanted={wanted}
          what={`one verdict: ${words}`}
          onBegun={(now) => {
            isBegun.value = now;
          }}
        />
      )}
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
  return <BuyVerdict wanted={{ tool: 'preflight_trade', args: {} }} what="this one verdict" resumesAny />;
}
