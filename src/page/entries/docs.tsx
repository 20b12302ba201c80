import { DocsSearch } from '../parts/docs/search.js';
import { hydratePart } from '../parts/hydrate.js';

hydratePart('search', DocsSearch);
