import type { Received } from './received.js';

/** What a check is about, in the order in which a reader asks. */
export type CheckGroup = 'who' | 'what' | 'from';

export const GROUP_TITLES: Readonly<Record<CheckGroup, string>> = {
  who: 'Who says so',
  what: 'What it says, computed again here',
  from: 'What it was computed from',
};

/** What a check is called, and what it means that it holds. */
export interface CheckText {
  readonly group: CheckGroup;
  readonly title: string;
  readonly meaning: string;
}

type CheckTexts = Readonly<Record<string, CheckText>>;

const OF_ALL: CheckTexts = {
  signature: {
    group: 'who',
    title: 'Signature',
    meaning: 'Not a byte of the evidence was changed since it was signed.',
  },
  issuer: { group: 'who', title: 'Issuer', meaning: 'The key that signed is one that this service publishes.' },
  engine: {
    group: 'who',
    title: 'Engine',
    meaning: 'The program that judged. Another build is no fault: what counts is that it computes the same.',
  },
  form: { group: 'who', title: 'Form', meaning: 'The evidence has what is needed to compute the answer again.' },
  response_hash: {
    group: 'from',
    title: 'Response hash',
    meaning: 'One hash over request, result, method and time of the data, for who wants to compare receipts.',
  },
};

const OF_ORDERS: CheckTexts = {
  ...OF_ALL,
  verdict: { group: 'what', title: 'Verdict', meaning: 'The book and the limits lead to this verdict.' },
  reasons: { group: 'what', title: 'Reasons', meaning: 'They are the ones that these numbers give.' },
  numbers: { group: 'what', title: 'Numbers', meaning: 'All numbers together, and none beside them.' },
  answer: {
    group: 'what',
    title: 'Rest of the answer',
    meaning: 'Market, order, times and limits are those of the evidence.',
  },
  payload: { group: 'from', title: 'Evidence', meaning: 'Its result follows from its book.' },
  venue_hash: {
    group: 'from',
    title: 'Hash of the book',
    meaning:
      "The levels match the hash that came with them. Anyone can compute that hash, so that the venue had this book is the service's " +
      'word. A book that someone else recorded proves more: preflight verify --book.',
  },
};

const OF_WALLETS: CheckTexts = {
  ...OF_ALL,
  verdict: { group: 'what', title: 'Verdict', meaning: 'The entries lead to this verdict and its reason code.' },
  reasons: { group: 'what', title: 'Reasons', meaning: 'They are the ones that these figures give.' },
  counts: {
    group: 'what',
    title: 'Counts',
    meaning: 'First entries: how many there are, are scored, open or left out.',
  },
  roi: { group: 'what', title: 'Return', meaning: 'What a copier made before and after fees, and how often it won.' },
  certainty: {
    group: 'what',
    title: 'Certainty',
    meaning: 'The 95% interval, z, the size of the sample, and the return without the best event.',
  },
  months: { group: 'what', title: 'Months', meaning: 'The older, the in-sample and the out-of-sample month.' },
  farming: { group: 'what', title: 'Farming screen', meaning: 'How much of the volume is no opinion to copy.' },
  answer: {
    group: 'what',
    title: 'Rest of the answer',
    meaning: 'Wallet, window, cut-offs, prices and categories. Its name, and when it was computed, are not signed.',
  },
  cut_offs: {
    group: 'from',
    title: 'Published cut-offs',
    meaning: 'The rules by which it was judged are those of a published version (rating_config).',
  },
  basis_hash: {
    group: 'from',
    title: 'Hash of the basis',
    meaning: 'One hash over all that the rating was computed from: evidence_hash of the wallet in a list.',
  },
  entries: {
    group: 'from',
    title: 'Entries',
    meaning:
      'Pools, flags and counts fit the first entries that are listed. That the wallet made these trades is the ' +
      "service's word: preflight verify --against-venue looks a sample of them up.",
  },
  payload: { group: 'from', title: 'Evidence', meaning: 'Its result follows from its entries.' },
};

/** Returns the words for a check of an answer; undefined for one that has none. */
export function checkText(name: string, kind: Received['kind']): CheckText | undefined {
  const texts = kind === 'wallet' ? OF_WALLETS : OF_ORDERS;
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
