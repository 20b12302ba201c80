import { StatusBoard } from '../parts/status/status-board.js';
import { wake } from '../parts/wake.js';

wake('status', StatusBoard);
