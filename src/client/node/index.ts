import type { PreflightOptions } from '../options.js';
import { Preflight as AnyPreflight } from '../preflight.js';
import { fileState } from './file-state.js';

/** The SDK for Node: the same, with state in files unless another is given. Stable. */
export * from '../index.js';
export { fileState } from './file-state.js';
export { stateHome } from './home.js';

/**
 * As in ../preflight.ts; what was spent outlives the process, and all programs of one wallet share
 * it.
 */
export class Preflight extends AnyPreflight {
  constructor(options: PreflightOptions) {
    super({ ...options, ledger: options.ledger ?? fileState(undefined, options.system?.clock) });
  }
}
