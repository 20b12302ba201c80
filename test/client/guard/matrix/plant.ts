/** Loaded before a trader (--import): its guard gets a state that has a fault (planted-state.ts). */
import { register } from 'node:module';

register('./plant-hooks.js', import.meta.url);
