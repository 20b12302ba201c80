import { hydratePart } from '../parts/hydrate.js';
import { Verifier } from '../parts/verify/verifier.js';

hydratePart('verifier', Verifier);
