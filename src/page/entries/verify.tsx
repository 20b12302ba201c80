import { Verifier } from '../parts/verify/verifier.js';
import { wake } from '../parts/wake.js';

wake('verifier', Verifier);
