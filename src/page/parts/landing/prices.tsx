import { CREDIT_PACK, PRICES, TOOLS, type Tool, toPriceText } from '#api/prices';
import { NumberColumn } from '../number-column.js';

const WHAT: Readonly<Record<Tool, string>> = {
  preflight_trade: 'The verdict on one order, on the live book',
  preflight_copy: 'The rating of one wallet: is it worth copying?',
  leaderboard: 'The wallets that are worth copying',
  red_list: 'Wallets that lose money for their copiers',
};

/** What the four tools cost, and the two ways to pay. */
export function Prices() {
  return (
    <section aria-labelledby="prices-title">
      <h2 id="prices-title">What a call costs</h2>

      <table class="prices">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <NumberColumn name="USDC" />
            <NumberColumn name="or credits" />
          </tr>
        </thead>
        <tbody>
          {TOOLS.map((tool) => (
            <tr>
              <th scope="row">
                <code>{tool}</code>
                <span>{WHAT[tool]}</span>
              </th>
              <td class="number">{toPriceText(PRICES[tool].amountMicros)}</td>
              <td class="number">{PRICES[tool].credits}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Only an answer with status 200 is charged, and a repeat of it never is. <b>Per call:</b> the first request gets
        402 with the terms; your client signs a USDC payment on Base for exactly that amount (x402) and repeats the
        request. <b>With credits:</b> {CREDIT_PACK.usd} USDC buy {CREDIT_PACK.credits} credits and a token, valid for{' '}
        {CREDIT_PACK.valid_days} days; calls with it are faster, because nothing is settled. There is no account.
      </p>
    </section>
  );
}
