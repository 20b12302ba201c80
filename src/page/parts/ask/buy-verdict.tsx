import { useSignal } from '@preact/signals';
import { type BoughtOrder, boughtOrder } from '../../model/ask/bought-order.js';
import { shownName } from '../../model/market/shown-name.js';
import { NUMBER_MEANINGS } from '../../model/order/number-meanings.js';
import type { Wanted } from '../../model/pay/bought.js';
import { Buy } from '../pay/buy.js';
import { Countdown } from '../pay/countdown.js';
import { VerdictSign } from '../verdict/verdict-sign.js';

interface BuyVerdictProps {
  readonly wanted: Wanted;
  /** The verdict in words. */
  readonly what: string;
  readonly resumesAny?: boolean;
  readonly onBegun?: (isBegun: boolean) => void;
}

/** Pays for one verdict, and shows it. */
export function BuyVerdict({ wanted, what, resumesAny = false, onBegun }: BuyVerdictProps) {
  const bought = useSignal<BoughtOrder | 'none' | 'unreadable'>('none');
  const { value: shown } = bought;
  return (
    <>
      <Buy
        wanted={wanted}
        what={what}
        resumesAny={resumesAny}
        {...(onBegun && { onBegun })}
        onAnswer={(answer, { args }) => {
          bought.value = boughtOrder(answer, args) ?? 'unreadable';
        }}
      />
      {shown === 'unreadable' && (
        <p class="note" data-tone="veto" role="alert">
          What came is not a verdict of this service, so it is not shown.
        </p>
      )}
      {typeof shown === 'object' && <BoughtVerdict key={shown.body.meta?.valid_until} {...shown} />}
    </>
  );
}

/**
 * A verdict that was paid for, digit by digit as it came. It is green until its `valid_until` and
 * no longer, however long the page stays open.
 */
function BoughtVerdict({ body, isStale, isAnother }: BoughtOrder) {
  const isExpired = useSignal(false);
  const isOld = isStale || isExpired.value;
  const { verdict, reasons, market, order, numbers, meta } = body;
  return (
    <div
      class={`card verdict bought ${isOld ? 'none' : verdict.toLowerCase()}`}
      data-bought={verdict}
      data-stale={isOld}
    >
      <p class="word">
        {!isOld && <VerdictSign verdict={verdict} />}
        <strong>{verdict}</strong>
        <span class="origin" role="status">
          live, paid{isExpired.value ? ': expired, ask again' : isStale ? ': an old answer, not to be acted upon' : ''}
        </span>
      </p>
      <p>
        {order.side} for {order.usd} USD of{' '}
        <bdi class="foreign">{shownName(String(market.outcome ?? market.token_id))}</bdi>:{' '}
        <bdi class="foreign">{shownName(String(market.question ?? market.slug))}</bdi>
      </p>
      {isAnother && (
        <p class="note" data-tone="veto" role="alert">
          This is another order than the one you chose. Do not act on it.
        </p>
      )}
      <ul>
        {reasons.map((reason) => (
          <li key={reason} class="foreign">
            {reason}
          </li>
        ))}
      </ul>
      <dl class="facts">
        {NUMBER_MEANINGS.map(({ key, label, unit }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd class="number foreign">
              {String(numbers[key])} {unit}
            </dd>
          </div>
        ))}
      </dl>
      {meta !== undefined && (
        <p class="faint">
          Valid until {meta.valid_until}
          {!isOld && (
            <>
              , for <Countdown untilMs={Date.parse(meta.valid_until)} onEnd={() => (isExpired.value = true)} />
            </>
          )}
          .
        </p>
      )}
    </div>
  );
}
