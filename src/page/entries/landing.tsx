import { hydratePart } from '../parts/hydrate.js';
import { TryIt } from '../parts/try/try-it.js';

hydratePart('try', TryIt);
