import { openCredits } from '#compose/credits';

/** Holds the lease of a service on the data directory that is named, until it is killed. */
const { store } = openCredits(process.argv[2]!);
await store.leases.hold('a service', 1);
process.send?.('held');
setInterval(() => undefined, 1_000);
