import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredSpec,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { systemRandom } from '#adapters/process/system-random';
import { text } from './fixtures-content.js';

/**
 * Signs the state that goes to the client and comes back; a state that was tampered with never
 * reaches a tool.
 */
export const stateCodec = createRequestStateCodec({ key: systemRandom.bytes(32) });

const STRING = { type: 'string' } as const;
const askFor = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: STRING }, required: [field] },
  });
const askModel = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(question) }], maxTokens });

const NAME = askFor('What is your name?', 'name');
const CONFIRM = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});

type Requests = NonNullable<InputRequiredSpec['inputRequests']>;

/**
 * What a tool asks for in its first round. It is content when every question has an answer of its
 * kind.
 */
const QUESTIONS: Readonly<Record<string, Requests>> = {
  test_input_required_result_elicitation: { user_name: NAME },
  test_streaming_elicitation: { user_name: NAME },
  test_input_required_result_sampling: { capital_question: askModel('What is the capital of France?', 100) },
  test_missing_capability: { thought: askModel('What do you think?', 100) },
  test_input_required_result_list_roots: { client_roots: inputRequired.listRoots() },
};

/** The same with a state that has to come back. */
const QUESTIONS_WITH_STATE: Readonly<Record<string, Requests>> = {
  test_input_required_result_request_state: { confirm: CONFIRM },
  test_input_required_result_tampered_state: { confirm: CONFIRM },
  test_input_required_result_multiple_inputs: {
    user_name: NAME,
    greeting: askModel('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  },
};

const STEPS = [
  { step1: askFor('Step 1: What is your name?', 'name') },
  { step2: askFor('Step 2: What is your favorite color?', 'color') },
] as const;

/** Registers the tools and the prompt that need several rounds (2026-07-28). */
export function registerRounds(server: McpServer): void {
  for (const [name, inputRequests] of Object.entries(QUESTIONS)) {
    server.registerTool(name, { description: 'Asks, then answers.' }, async ({ mcpReq }) =>
      isAnswered(inputRequests, mcpReq) ? answer(mcpReq) : inputRequired({ inputRequests }),
    );
  }
  for (const [name, inputRequests] of Object.entries(QUESTIONS_WITH_STATE)) {
    server.registerTool(name, { description: 'Asks, remembers, then answers.' }, async ({ mcpReq }) => {
      if (isAnswered(inputRequests, mcpReq) && mcpReq.requestState() === name) return answer(mcpReq);
      return inputRequired({ inputRequests, requestState: await stateCodec.mint(name) });
    });
  }
  server.registerTool('test_input_required_result_multi_round', { description: 'Asks twice.' }, async ({ mcpReq }) => {
    const done = mcpReq.requestState<number>() ?? -1;
    const next = done >= 0 && !isAnswered(STEPS[done]!, mcpReq) ? done : done + 1;
    if (next >= STEPS.length) return answer(mcpReq);
    return inputRequired({ inputRequests: STEPS[next]!, requestState: await stateCodec.mint(next) });
  });
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks what it may.' },
    async (context) => {
      const envelope: Record<string, ClientCapabilities | undefined> = { ...(context.mcpReq.envelope as object) };
      const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
      const user = declared?.elicitation === undefined ? {} : { user_name: NAME };
      const model = declared?.sampling === undefined ? {} : { thought: askModel('What do you think?', 100) };
      return inputRequired({ inputRequests: { ...user, ...model } });
    },
  );
  const prompt = { description: 'Asks, then prompts.' };
  server.registerPrompt('test_input_required_result_prompt', prompt, async ({ mcpReq }) => {
    const given = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (given !== undefined) return { messages: [{ role: 'user', content: text(`Context: ${given.context}`) }] };
    return inputRequired({ inputRequests: { user_context: askFor('What context should the prompt use?', 'context') } });
  });
}

type McpReq = ServerContext['mcpReq'];

function isAnswered(requests: Requests, { inputResponses }: McpReq): boolean {
  return Object.keys(requests).every((key) => inputResponse(inputResponses, key).kind !== 'missing');
}

function answer({ inputResponses, requestState }: McpReq) {
  const state = requestState() === undefined ? '' : 'state-ok ';
  return { content: [text(`${state}${JSON.stringify(inputResponses)}`)] };
}
