import { annotationsOf, type FreeTool, isFreeTool, TOOL_TEXTS } from '#api/tool-texts';
import { inputSchemaOf } from '#api/tools/input-schema';
import type { ObjectSchema } from '#api/tools/json-schema';
import { outputSchemaOf } from '#api/tools/output-schema';
import type { McpTool } from '#api/tools/tool-schemas';
import type { Lane } from '../answers.js';
import { REFUSAL_SCHEMA } from './refusal.js';

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** The tools of the service. */
export const TOOL_NAMES = Object.keys(TOOL_TEXTS) as readonly McpTool[];

/**
 * The tools of the service as this release knows them: in texts and schemas those of a service of
 * the same release.
 */
export const BUILT_IN_TOOLS: ReadonlyMap<string, ListedTool> = new Map(
  TOOL_NAMES.map((name) => [name, toListed(name)]),
);

function toListed(name: McpTool): ListedTool {
  const { title, description } = TOOL_TEXTS[name];
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(name),
    outputSchema: outputSchemaOf(name),
    annotations: { title, ...annotationsOf(name) },
  };
}

/** What the texts of the service leave open: who pays here. */
const WHO_PAYS: Readonly<Record<Lane, string>> = {
  x402: 'Here the server pays, from its wallet and within its limits (see `limits`); payment terms never come back.',
  credits: 'Here the server pays, from the credits of its token; payment terms never come back.',
  sandbox:
    'Here the server has neither wallet nor token: every answer is the free example, marked `sandbox: true`, and never a live one.',
};

/** What is free, and whose token or work it is. */
const FREE_HERE: Readonly<Record<FreeTool, string>> = {
  evaluate: 'Computed by this server itself: your book is sent nowhere.',
  credits: 'The token is that of this server.',
};

/**
 * Returns a tool of the service as this server offers it. Texts are always the built-in ones, with
 * who pays here: a host takes them for instructions, so none is passed on that this release does
 * not know. `isReworded`: the service describes the tool otherwise, so its answers may have grown,
 * and no schema of them is promised.
 */
export function offeredTool(name: McpTool, lane: Lane, isReworded: boolean): ListedTool {
  const { outputSchema, ...tool } = BUILT_IN_TOOLS.get(name)!;
  const isFree = isFreeTool(name) || lane === 'sandbox';
  const spends = isFree ? { readOnlyHint: true, idempotentHint: true } : {};
  return {
    ...tool,
    description: `${tool.description} ${isFreeTool(name) ? FREE_HERE[name] : WHO_PAYS[lane]}`,
    annotations: { ...tool.annotations, ...spends },
    ...(isReworded ? {} : { outputSchema: withRefusal(outputSchema!) }),
  };
}

/** Clients of the 2025 revisions check errors against it too. */
function withRefusal(schema: ObjectSchema): ObjectSchema {
  return { ...schema, anyOf: [...(schema.anyOf as readonly unknown[]), REFUSAL_SCHEMA] };
}
