import type { CallToolResult, ElicitInputParams, ElicitResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './fixtures-content.js';

const one = (...values: readonly string[]) => values.map((title, n) => ({ const: `value${n + 1}`, title }));
const OPTIONS = ['option1', 'option2', 'option3'];

/** Values that a form is filled with before the user touches it. */
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

/** The five ways to let a user choose. */
const ENUMS = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: one('First Option', 'Second Option', 'Third Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: one('First Choice', 'Second Choice', 'Third Choice') } },
};

const CONTACT = { username: { type: 'string' }, email: { type: 'string' } };

/**
 * A form of these fields. The types of the library do not take what they can only check when it
 * runs.
 */
function form(message: string, properties: object, required: readonly string[] = []): ElicitInputParams {
  return { message, requestedSchema: { type: 'object', properties, required } } as unknown as ElicitInputParams;
}

const received = (what: string, { action, content }: ElicitResult): CallToolResult => ({
  content: [text(`${what}: action=${action}, content=${JSON.stringify(content ?? {})}`)],
});

/**
 * Registers the tools that ask the client something while they run, as the revisions of 2025 allow.
 */
export function registerAsking(server: McpServer): void {
  const sampling = { description: 'Asks the model.', inputSchema: z.object({ prompt: z.string() }) };
  server.registerTool('test_sampling', sampling, async ({ prompt }, { mcpReq }) => {
    const messages = [{ role: 'user', content: text(prompt) }] as const;
    const { content } = await mcpReq.requestSampling({ messages: [...messages], maxTokens: 100 });
    return { content: [text(`LLM response: ${JSON.stringify(content)}`)] };
  });
  const elicitation = { description: 'Asks the user.', inputSchema: z.object({ message: z.string() }) };
  server.registerTool('test_elicitation', elicitation, async ({ message }, { mcpReq }) =>
    received('User response', await mcpReq.elicitInput(form(message, CONTACT, ['username', 'email']) as never)),
  );
  const forms = { test_elicitation_sep1034_defaults: DEFAULTS, test_elicitation_sep1330_enums: ENUMS };
  for (const [name, fields] of Object.entries(forms)) {
    server.registerTool(name, { description: 'Asks the user.' }, async ({ mcpReq }) =>
      received('Elicitation completed', await mcpReq.elicitInput(form('Please fill in', fields) as never)),
    );
  }
}
