import { clientInstall } from '#api/client-package';
import type { DocsPart, DocsSection, DocsTable } from '#api/docs-page';
import { ENDPOINTS, type Endpoint, TAGS } from '#api/endpoints';
import { API_VERSION, INTERFACE_VERSION } from '#api/version';
import { queuedSteps, sandboxRows, verdictRows } from '../agent-texts.js';
import type { DiscoveryConfig } from '../discovery-file.js';
import { evidenceBasics } from '../evidence-texts.js';
import { JWKS_PATH } from '../jwks.js';
import { limitList } from '../llms-txt.js';
import { openApi } from '../openapi/openapi.js';
import {
  BUT_WHILE_UNCLEAR,
  creditSteps,
  guardrailList,
  lostTokenText,
  mcpList,
  payeeList,
  perCallSteps,
  promoText,
  repeatText,
} from '../payment-texts.js';
import { planList } from '../plan-texts.js';
import { NEVER_CHARGED } from '../pricing-md.js';
import { endpointRows, errorRows, paymentText, priceRows } from '../tables.js';
import { curlLines, sdkPrograms } from './examples.js';
import {
  answerExample,
  answersOf,
  fieldsOf,
  parametersOf,
  type ReadOperation,
  type ReadSchema,
  schemasIn,
} from './openapi-rows.js';
import { samplesOf } from './samples.js';

interface ReadDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReadOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ReadSchema>> };
}

/**
 * Returns what stands on the documentation page, from the tables and texts of /llms.txt and out of
 * /openapi.json itself, so that it cannot say anything else. Takes as long as /openapi.json: it is
 * for whoever asks first. `sdk`: the name of its package.
 */
export function docsSections(config: DiscoveryConfig, sdk: string): readonly DocsSection[] {
  const { baseUrl } = config;
  const document = JSON.parse(openApi(config).body) as ReadDocument;
  const programs = sdkPrograms(baseUrl, sdk);
  return [
    {
      id: 'start',
      title: 'Start here',
      parts: [
        text(
          `Base address: \`${baseUrl}\`. Answers are JSON. \`sandbox=1\` returns a free example of any tool, \`x402_probe=1\` its ` +
            'payment terms: no account and no key are needed for either.',
        ),
        code(curlLines('checkOrder', baseUrl)[0]!),
        text(sdkText(config)),
        code(programs.order),
      ],
    },
    {
      id: 'endpoints',
      title: 'Endpoints',
      parts: [table('Every endpoint', linked(endpointRows()))],
      sections: ENDPOINTS.map((endpoint) => endpointSection(endpoint, document, baseUrl, programs)),
    },
    {
      id: 'forms',
      title: 'Forms of answers',
      parts: [
        text(
          'What is in an answer, by the names that the endpoints refer to. `a.b` is the field `b` of the object `a`.',
        ),
      ],
      sections: Object.entries(document.components.schemas).map(([name, schema]) => ({
        id: name,
        title: name,
        isFolded: true,
        parts: [
          ...(schema.description === undefined ? [] : [text(schema.description)]),
          table(`Fields of ${name}`, fieldsOf(schema)),
        ],
      })),
    },
    {
      id: 'verdicts',
      title: 'What to do on each verdict',
      parts: [
        table('Verdicts', verdictRows()),
        text('**A wallet without a profile (QUEUED)**'),
        text(queuedSteps()),
        code(programs.wallet),
      ],
    },
    {
      id: 'rehearse',
      title: 'Rehearse every outcome',
      parts: [
        text(
          '`sandbox=1` beside one of these inputs, free. With any other input the answer is the one example of the tool.',
        ),
        table('Inputs with their own example', sandboxRows()),
      ],
    },
    {
      id: 'prices',
      title: 'Prices',
      parts: [table('Prices', priceRows()), text(`**Never charged**\n\n${NEVER_CHARGED}`)],
    },
    {
      id: 'paying',
      title: 'Paying',
      parts: [
        text('Three lanes lead to the same answers: a free sandbox, x402 per call, and prepaid credits.'),
        text(payeeList(config)),
      ],
      sections: [
        { id: 'x402', title: 'Per call with x402', parts: [text(perCallSteps())] },
        { id: 'credits', title: 'From prepaid credits', parts: [text(creditSteps()), text(promoText())] },
        { id: 'lost-token', title: 'A lost token', parts: [text(lostTokenText(config))] },
        { id: 'repeats', title: 'Repeats', parts: [text(repeatText())] },
        { id: 'rules', title: 'Rules for your own code', parts: [text(guardrailList(config))] },
      ],
    },
    {
      id: 'mcp',
      title: 'Connect over MCP',
      parts: [text(mcpList(config)), code(curlLines('callMcp', baseUrl).join('\n'))],
    },
    { id: 'plan', title: 'Plan', parts: [text(planList())] },
    {
      id: 'evidence',
      title: 'Evidence',
      parts: [
        text(evidenceBasics()),
        text(`All keys: [${JWKS_PATH}](${JWKS_PATH}). Check a saved answer [in this browser](/verify).`),
      ],
    },
    { id: 'limits', title: 'Limits and defaults', parts: [text(limitList())] },
    {
      id: 'errors',
      title: 'Errors by status',
      parts: [
        text(
          'An error is `{"error", "code", "doc"}`, with `candidates` if a choice would help. None is charged, ' +
            `${BUT_WHILE_UNCLEAR} (\`"retry": "same_payment"\`).`,
        ),
        table('Errors by status', errorRows()),
      ],
    },
    {
      id: 'versions',
      title: 'Versions',
      parts: [
        text(
          `By date: ${API_VERSION} (interface ${INTERFACE_VERSION}), in the header \`X-API-Version\` of every answer. The same for ` +
            'programs: [/openapi.json](/openapi.json), [/llms.txt](/llms.txt), [/agent.json](/agent.json).',
        ),
      ],
    },
  ];
}

type Programs = ReturnType<typeof sdkPrograms>;

function endpointSection(
  endpoint: Endpoint,
  { paths }: ReadDocument,
  baseUrl: string,
  programs: Programs,
): DocsSection {
  const { operationId, method, path, description, tag } = endpoint;
  const operation = paths[path]![method.toLowerCase()]!;
  const parameters = parametersOf(operation);
  const bodies = schemasIn(operation.requestBody?.content);
  const program = { checkOrder: programs.order, checkWallet: programs.wallet }[operationId];
  const answer = answerExample(operation);
  return {
    id: operationId,
    title: `${method} ${path}`,
    parts: [
      text(`*${TAGS[tag]}* ${description}`),
      text(`Price: ${paymentText(endpoint)}.`),
      ...(parameters.rows.length === 0 ? [] : [table(`Parameters of ${method} ${path}`, parameters)]),
      ...(bodies.length === 0 ? [] : [text(`JSON body: ${bodies.map((name) => `[${name}](#${name})`).join(', ')}.`)]),
      table(`Answers of ${method} ${path}`, answersOf(operation)),
    ],
    samples: samplesOf(operationId, baseUrl, program),
    ...(answer !== null && { answer }),
  };
}

/** The rows lead to the sections of their endpoints. */
function linked({ head, rows }: DocsTable): DocsTable {
  return {
    head,
    rows: rows.map(({ cells: [, ...rest] }, n) => {
      const { method, path, operationId } = ENDPOINTS[n]!;
      return { cells: [`[${method} ${path}](#${operationId})`, ...rest] };
    }),
  };
}

function text(markdown: string): DocsPart {
  return { kind: 'text', markdown };
}

function table(caption: string, rows: DocsTable): DocsPart {
  return { kind: 'table', caption, table: rows };
}

function code(lines: string): DocsPart {
  return { kind: 'code', text: lines };
}

/** How the SDK is installed: the package is not on the registry yet. */
function sdkText({ baseUrl, clientIntegrity }: DiscoveryConfig): string {
  if (clientIntegrity === null) return 'With a token of prepaid credits, and the SDK:';
  return (
    `With a token of prepaid credits, and the SDK (\`${clientInstall(baseUrl)}\`, ` +
    `integrity \`${clientIntegrity}\`):`
  );
}
