import type { Assumption } from './assumption.js';
import { BOOKS } from './books.js';
import { CATALOG } from './catalog.js';
import { CHANNEL } from './channel.js';
import { FEES } from './fees.js';
import { TRADES } from './trades.js';

/** All that can be asked, in the order of their numbers (docs/venue.md, "Assumptions"). */
export const ASSUMPTIONS: readonly Assumption[] = [...CATALOG, ...FEES, ...BOOKS, ...CHANNEL, ...TRADES];
