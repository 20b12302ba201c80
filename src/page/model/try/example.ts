import type { ToldExample } from '../market/told.js';

/** The book of the documented example, an order of 100 USD on which is OK (api/sandbox/sandbox.ts). */
export const EXAMPLE: ToldExample = {
  market: {
    slug: 'example-will-the-measure-pass',
    question: 'Example: will the measure pass?',
    outcomes: [{ label: 'Yes', token_id: '1234567890', events: '/demo/books/1234567890/events' }],
    fee: { rate: 0.04, exponent: 1, category: 'politics_fees', known: true },
    min_order_shares: 5,
    matching_delay_s: 0,
    status: {
      active: true,
      closed: false,
      accepting_orders: true,
      order_book_enabled: true,
      uma_resolution_status: '',
    },
  },
  book: {
    timestamp_ms: 0,
    confirmed_age_ms: 420,
    listed: true,
    doubt: null,
    trusted: true,
    bids: [
      ['0.42', '900'],
      ['0.45', '600'],
      ['0.47', '300'],
    ],
    asks: [
      ['0.55', '1000'],
      ['0.52', '500'],
      ['0.5', '400'],
      ['0.48', '125'],
    ],
  },
};
