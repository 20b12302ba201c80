/**
 * The one order whose refusal or acceptance would attest how many decimals of shares the venue takes on fine price
 * steps: docs/venue.md, "Amounts of orders", has the rule from quoted refusals only. It is shown, and never sent.
 *
 * 1.01 USDC at 0.064 is 15.78125 shares exactly: legal but for its fifth decimal, which a step of 0.001 allows if
 * decimals are those of the step and two more. Far below the best ask it cannot match, so that a FOK costs nothing.
 */
export const ATTESTING_ORDER = {
  token: 'any whose price step is 0.001 and whose best ask is above 0.064',
  side: 'BUY',
  order_type: 'FOK',
  tick_size: '0.001',
  price: '0.064',
  maker_amount: '1010000',
  taker_amount: '15781250',
  proves: [
    {
      answer: 'refused for the accuracy of its amounts',
      means: 'shares have at most 4 decimals on fine price steps too',
    },
    {
      answer: 'killed because it could not be filled',
      means: '5 decimals at 0.001, if amounts are read first',
    },
    { answer: 'any other', means: 'nothing about decimals' },
  ],
} as const;

/** Returns the order as lines for people. */
export function attestingOrderText(): string {
  const { token, side, order_type, price, maker_amount, taker_amount, proves } = ATTESTING_ORDER;
  return [
    'Not attested: how many decimals shares have on fine price steps.',
    'This order, which is not sent, would attest it:',
    `  token ${token}`,
    `  ${side} ${order_type} at ${price}, maker amount ${maker_amount}, taker amount ${taker_amount}`,
    ...proves.map(({ answer, means }) => `  ${answer}: ${means}`),
  ].join('\n');
}
