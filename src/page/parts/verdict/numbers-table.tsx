import type { OrderNumbers } from '#api/order-numbers';
import { NUMBER_MEANINGS } from '../../model/order/number-meanings.js';

/** All ten numbers as the answer has them, digit by digit, with what each says. */
export function NumbersTable({ numbers }: { readonly numbers: OrderNumbers | null }) {
  return (
    <section class="card numbers" aria-labelledby="numbers-title">
      <h2 id="numbers-title">All ten numbers of the answer</h2>
      <dl>
        {NUMBER_MEANINGS.map(({ key, label, unit, meaning }) => (
          <div>
            <dt>{label}</dt>
            <dd class="value">
              <span class="number foreign" data-number={key}>
                {numbers === null ? '–' : String(numbers[key])}
              </span>{' '}
              <span class="unit">{unit}</span>
            </dd>
            <dd class="meaning">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
