import { hydratePart } from '../parts/hydrate.js';
import { StatusBoard } from '../parts/status/status-board.js';

hydratePart('status', StatusBoard);
