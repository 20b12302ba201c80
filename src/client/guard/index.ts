/** The guard before a client of the venue. What is exported here is stable. */

export { OrderOutcomeUnknown, OrderRefused } from './errors.js';
export { guard } from './guard.js';
export type { GuardOptions, VerdictSource } from './options.js';
export type { GuardedOrder } from './order.js';
export { ORDER_RULES, type OrderRule } from './rules.js';
