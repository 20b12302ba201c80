import type { McpFixtures } from '#mcp/mcp-server';
import { registerAsking } from './fixtures-asking.js';
import { registerContent } from './fixtures-content.js';
import { registerPrompts, registerResources } from './fixtures-resources.js';
import { registerRounds, stateCodec } from './fixtures-rounds.js';
import { registerSchemas } from './fixtures-schemas.js';

/**
 * The tools, resources and prompts that the scenarios of the conformance suite call, each as its
 * scenario describes it.
 */
export const FIXTURES: McpFixtures = {
  options: {
    capabilities: { logging: {}, completions: {}, prompts: {}, resources: { subscribe: true } },
    requestState: { verify: stateCodec.verify },
  },
  register(server) {
    registerContent(server);
    registerAsking(server);
    registerRounds(server);
    registerResources(server);
    registerPrompts(server);
    registerSchemas(server);
  },
};
