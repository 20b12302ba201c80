import { createAnswerRecorder } from './answer-recorder.js';
import { keepForReport } from './run-report.js';

/**
 * Loaded first by mocha: every answer that a test gets from the service through fetch, in process
 * or from a child, is compared with /openapi.json, and the suite fails at its end where one is not
 * as described. Outside of it are tests that speak HTTP themselves
 * (test/server/http/support/raw-exchange.ts), the load generator, and what child processes ask.
 */
const recorder = createAnswerRecorder(globalThis.fetch, async () => (await import('./answer-rules.js')).breachesOf);
globalThis.fetch = recorder.fetch;

export const mochaHooks = {
  async afterAll() {
    const { breaches, ...counts } = await recorder.report();
    keepForReport('answers', counts);
    if (breaches.length > 0) throw new Error(`answers that /openapi.json does not describe:\n${breaches.join('\n')}`);
  },
};
