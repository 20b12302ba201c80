import type { Demand } from './demand.js';
import { GuardrailRefused, NotPaid } from './errors.js';
import type { Limits } from './limits.js';
import type { PublishedTerms } from './published-terms.js';
import { type Intent, termsFault } from './terms.js';

/**
 * Returns the one offer that keeps every rule, wherever it stands among the others. Throws
 * GuardrailRefused with the fault of the first offer if none does, and NotPaid if nothing is
 * offered that can be read.
 */
export function chooseDemand(
  published: PublishedTerms,
  intent: Intent,
  demands: readonly Demand[],
  limits: Limits,
): Demand {
  const faults = demands.map((demand) => termsFault(published, intent, demand, limits));
  const at = faults.indexOf(null);
  if (at !== -1) return demands[at]!;
  const [first] = faults;
  if (first !== undefined && first !== null) throw new GuardrailRefused(first);
  throw new NotPaid('the service asks for a payment in a form that cannot be read', {
    charged: 'nothing',
    next: 'Check that this is the service that you mean',
  });
}
