import { skippedText } from './skipped.js';

/** Loaded first by mocha: what was skipped is named where a person looks, at the end. */
export const mochaHooks = {
  afterAll() {
    const text = skippedText();
    if (text !== '') console.warn(`\n${text}\n`);
  },
};
