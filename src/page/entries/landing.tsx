import { TryIt } from '../parts/try/try-it.js';
import { wake } from '../parts/wake.js';

wake('try', TryIt);
