import type { McpServer } from '@modelcontextprotocol/server';
import { shownSchema } from '#mcp/json-schema';
import { text } from './fixtures-content.js';

/** Words of JSON Schema 2020-12 that have to come through as they are. */
const CONTACT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** A parameter that a client repeats in a header of the request. */
const REGION = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } as const;

/** Registers the tools whose schemas are looked at. */
export function registerSchemas(server: McpServer): void {
  const schemas = { json_schema_2020_12_tool: CONTACT, test_header_tool: REGION };
  for (const [name, schema] of Object.entries(schemas)) {
    const definition = { description: 'Has a schema.', inputSchema: shownSchema(schema as never) };
    server.registerTool(name, definition, async () => ({ content: [text('understood')] }));
  }
}
