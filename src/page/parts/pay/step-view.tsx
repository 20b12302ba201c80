import { useSignal } from '@preact/signals';
import type { Answer } from '#client/answers';
import type { Wanted } from '../../model/pay/bought.js';
import type { Checkout } from '../../model/pay/checkout.js';
import type { CheckoutStep } from '../../model/pay/checkout-step.js';
import { receiptOf, standsUntilMs } from '../../model/pay/receipt.js';
import { momentText } from '../../model/texts.js';
import { Countdown } from './countdown.js';
import { FailureView } from './failure-view.js';
import { TermsView } from './terms-view.js';

interface StepViewProps {
  readonly step: CheckoutStep;
  readonly checkout: Checkout;
  readonly wanted: Wanted;
  readonly what: string;
}

/**
 * What is going on with a purchase. The words of it are announced; the terms are read where they
 * stand.
 */
export function StepView({ step, checkout, wanted, what }: StepViewProps) {
  return (
    <>
      <p class="checkout-state" aria-live="polite">
        {stateText(step)}
      </p>
      {step.kind === 'terms' && (
        <TermsView terms={step.terms} what={what} onWallet={(wallet) => void checkout.pay(wanted, wallet)} />
      )}
      {step.kind === 'signing' && (
        <button type="button" onClick={() => checkout.giveUp()}>
          Do not wait for the wallet
        </button>
      )}
      {step.kind === 'queued' && (
        <p>
          Asking again in <Countdown untilMs={step.askAtMs} />.
        </p>
      )}
      {step.kind === 'unknown' && (
        <p class="faint">
          {step.why} {step.nonce !== null && <code class="foreign">nonce {step.nonce}</code>}
        </p>
      )}
      {step.kind === 'failed' && <FailureView failure={step.failure} onAgain={() => void checkout.askTerms(wanted)} />}
      {step.kind === 'answered' && <Receipt answer={step.answer} onAgain={() => void checkout.askTerms(wanted)} />}
    </>
  );
}

function stateText(step: CheckoutStep): string {
  switch (step.kind) {
    case 'asking':
      return 'Asking what it costs…';
    case 'signing':
      return (
        `Look at ${step.wallet}: it shows what you are about to sign. Compare amount and payee: ` +
        `${step.terms.amount} to ${step.terms.payee}.`
      );
    case 'sending':
      return step.resumed
        ? 'A payment of this tab was not answered yet. Asking again with the same one: it is charged at most once.'
        : 'Signed. Waiting for the answer. Until it is here this tab keeps the signed payment, also through a reload.';
    case 'queued':
      return step.withSame
        ? 'The service is still at work on this wallet. Nothing was charged.'
        : 'The service is still at work on this wallet. Nothing was charged; your payment lapses unused before another one.';
    case 'unknown':
      return (
        'It is not known yet whether this was charged. This tab keeps the same signed payment and asks again with it by ' +
        'itself, also after a reload: it is charged at most once. Do not pay again elsewhere.'
      );
    default:
      return '';
  }
}

interface ReceiptProps {
  readonly answer: Answer<unknown>;
  readonly onAgain: () => void;
}

/** How an answer was paid, with its transaction. */
function Receipt({ answer, onAgain }: ReceiptProps) {
  const { text, transaction, link } = receiptOf(answer);
  return (
    <div class="receipt">
      <p role="status">
        <span aria-hidden="true">✓ </span>
        {text}
      </p>
      {transaction !== null && (
        <p class="foreign">
          Transaction{' '}
          {link === null ? (
            <code>{transaction}</code>
          ) : (
            <a href={link} rel="noreferrer">
              <code>{transaction}</code>
            </a>
          )}
        </p>
      )}
      <AskAgain untilMs={standsUntilMs(answer)} onAgain={onAgain} />
    </div>
  );
}

/**
 * An answer that stands would be bought a second time: until it is made anew there is nothing to
 * ask for.
 */
function AskAgain({ untilMs, onAgain }: { readonly untilMs: number | null; readonly onAgain: () => void }) {
  const isOver = useSignal(untilMs === null);
  return (
    <p class="buy">
      <button type="button" disabled={!isOver.value} onClick={onAgain}>
        Ask again
      </button>
      {untilMs !== null && !isOver.value && (
        <span class="faint">
          The answer is valid until {momentText(untilMs)}, for{' '}
          <Countdown
            untilMs={untilMs}
            onEnd={() => {
              isOver.value = true;
            }}
          />
          : until then asking again would buy the same one.
        </span>
      )}
    </p>
  );
}
