import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG, text } from './fixtures-content.js';

const NOTE = { uri: 'test://static-text', mimeType: 'text/plain' };
const PICTURE = { uri: 'test://static-binary', mimeType: 'image/png' };
const JSON_TYPE = { mimeType: 'application/json' };

/** Registers the resources that are read, and the subscriptions that the revisions of 2025 have. */
export function registerResources(server: McpServer): void {
  const described = ({ mimeType }: { mimeType: string }) => ({ description: 'A fixed resource.', mimeType });
  server.registerResource('static-text', NOTE.uri, described(NOTE), async () => ({
    contents: [{ ...NOTE, text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', PICTURE.uri, described(PICTURE), async () => ({
    contents: [{ ...PICTURE, blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, described(JSON_TYPE), async (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        ...JSON_TYPE,
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
}

/** Registers the prompts, and the completion of an argument. */
export function registerPrompts(server: McpServer): void {
  const said = (...contents: readonly object[]) => ({
    messages: contents.map((content) => ({ role: 'user', content })) as never,
  });
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing.' }, async () =>
    said(text('This is a simple prompt for testing.')),
  );
  const cities = completable(z.string().describe('First argument.'), (typed) =>
    ['paris', 'park', 'party'].filter((city) => city.startsWith(typed)),
  );
  const args = z.object({ arg1: cities, arg2: z.string().describe('Second argument.') });
  const withArguments = { description: 'Repeats its arguments.', argsSchema: args };
  server.registerPrompt('test_prompt_with_arguments', withArguments, async ({ arg1, arg2 }) =>
    said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const embedding = { description: 'Embeds.', argsSchema: z.object({ resourceUri: z.string().describe('What.') }) };
  server.registerPrompt('test_prompt_with_embedded_resource', embedding, async ({ resourceUri: uri }) =>
    said(
      { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
      text('Please process the embedded resource above.'),
    ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows.' }, async () =>
    said({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  );
}
