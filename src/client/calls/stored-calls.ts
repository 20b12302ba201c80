import type { ServedTool } from '#api/operations';
import { asObject, parseObject } from '#domain/json';
import type { Answer, RefreshOptions } from '../answers.js';
import { type Parameters, toolRequest } from '../http/requests.js';
import type { ClientContext } from '../purchase/context.js';
import { requestIdOf } from '../purchase/request-id.js';
import type { PaidCalls } from './paid-calls.js';

/**
 * Returns how tools are called whose answers stand until their `next_refresh_at`: until then they
 * are kept, and told again for nothing.
 */
export function storedCalls({ state, system, baseUrl }: ClientContext, paid: PaidCalls) {
  const find = async <Body>(id: string): Promise<Answer<Body> | null> => {
    const text = await state.kept.find(id, system.clock.nowMs()).catch(() => null);
    const body = text === null ? null : parseObject(text);
    if (text === null || body === null) return null;
    return { body: body as Body, text, lane: paid.lane, stale: false, cached: true };
  };
  return async <Body>(
    tool: ServedTool,
    args: Parameters,
    { refresh = false, ...options }: RefreshOptions<Body>,
    wait = false,
  ): Promise<Answer<Body>> => {
    if (paid.lane === 'sandbox') return paid.call<Body>(tool, args, options, wait);
    const id = await requestIdOf('kept', toolRequest(baseUrl, tool, args).url);
    const stored = refresh ? null : await find<Body>(id);
    if (stored !== null) return stored;
    const onAnswer = async (answer: Answer<Body>) => {
      const untilMs = Date.parse(String(asObject(answer.body)?.next_refresh_at));
      // An answer that cannot be kept is an answer all the same.
      if (untilMs > system.clock.nowMs()) await state.kept.keep(id, answer.text, untilMs).catch(() => {});
      await options.onAnswer?.(answer);
    };
    return paid.call<Body>(tool, args, { ...options, onAnswer }, wait);
  };
}
