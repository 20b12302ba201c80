import type { CallToolResult } from '@modelcontextprotocol/server';
import { type CreditsResponse, PACK_TERMS } from '#api/credits';
import { Problem } from '#domain/errors';
import type { Credits } from '#services/credits';
import { type CallRequest, readSandbox, type ToolArguments } from './tool-call.js';
import { answerResult } from './tool-result.js';

export type BalanceReader = Pick<Credits, 'authenticate' | 'balanceOf'>;

/** Returns the tool that reads a balance, as GET /api/credits does; free. Rejects with a Problem, or with what the store rejected with. */
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
    if (token === null) return answerOf(PACK_TERMS);
    const bearer = token === '' ? null : await credits.authenticate(token);
    if (bearer === null) {
      const text = 'the bearer token is invalid or expired: leave Authorization out to see the terms';
      throw new Problem('invalid_token', text);
    }
    return answerOf(withBalance(await credits.balanceOf(bearer)));
  };
}

function answerOf(body: CreditsResponse): CallToolResult {
  return answerResult(JSON.stringify(body));
}

function withBalance({ balance, expiresAtMs }: Awaited<ReturnType<Credits['balanceOf']>>): CreditsResponse {
  const { ok, ...terms } = PACK_TERMS;
  const expires = expiresAtMs === null ? {} : { expires: new Date(expiresAtMs).toISOString() };
  return { ok, balance, ...expires, ...terms };
}
