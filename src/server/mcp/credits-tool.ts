import type { CallToolResult } from '@modelcontextprotocol/server';
import { type CreditsResponse, PACK_TERMS } from '#api/credits';
import { Problem } from '#domain/errors';
import { type BalanceReader, creditsAnswer } from '#services/credits/balance-answer';
import type { CallRequest } from './exchange.js';
import { readSandbox, type ToolArguments } from './tool-call.js';
import { answerResult } from './tool-result.js';

/**
 * Returns the tool that reads a balance, as GET /api/credits does; free. Rejects with a Problem, or
 * with what the store rejected with.
 */
export function createCreditsTool(credits: BalanceReader) {
  return async (given: ToolArguments, { bearer: token }: CallRequest): Promise<CallToolResult> => {
    const { sandbox, ...others } = given;
    // The terms are the same for everybody, so they are their own example.
    if (readSandbox(sandbox) === 'set') return answerOf(PACK_TERMS);
    if (Object.keys(others).length > 0) {
      throw new Problem(
        'invalid_parameter',
        'this tool takes no parameters: send the token in the Authorization header',
      );
    }
    return answerOf(await creditsAnswer(credits, token));
  };
}

function answerOf(body: CreditsResponse): CallToolResult {
  return answerResult(JSON.stringify(body));
}
