import type { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { ENDPOINTS, type Endpoint, soldAt, TAGS } from '#api/endpoints';
import { paymentOffer } from '#api/operations';
import { toPriceText } from '#api/prices';
import { INTERFACE_VERSION } from '#api/version';
import { type DiscoveryConfig, type DiscoveryFile, jsonFile } from '../discovery-file.js';
import { guidance } from '../guidance.js';
import { EVALUATED_BOOK, PARAMETER_EXAMPLES, REDEEM_EXAMPLE, RENEW_EXAMPLE, RPC_EXAMPLES } from './examples.js';
import { HEADERS } from './headers.js';
import { parametersOf } from './parameters.js';
import { errorExamples, responsesOf } from './responses.js';
import { BODY_SCHEMAS, DOCUMENT_OPTIONS, SCHEMAS } from './schemas.js';

/**
 * /openapi.json: OpenAPI 3.1 of everything that is served, for people's tools and for agents that
 * discover paid endpoints.
 */
export function openApi(config: DiscoveryConfig): DiscoveryFile {
  const document = shorten(createDocument(describe(config), DOCUMENT_OPTIONS));
  // Without white space: it is for machines, and half as long.
  return { ...jsonFile('/openapi.json', document), body: JSON.stringify(document) };
}

function describe(config: DiscoveryConfig): ZodOpenApiObject {
  const { baseUrl, supportEmail } = config;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Preflight',
      version: INTERFACE_VERSION,
      description:
        'Should this order be sent, now, at this size, on this book? Is this wallet worth copying? Deterministic arithmetic on live ' +
        'books and on the public record of trades; every number of a verdict is in the answer. Paid per call with x402 or from ' +
        'prepaid credits; no account, no funds held, no orders sent. Neither predictions nor investment advice.',
      contact: { name: 'Preflight', email: supportEmail, url: `${baseUrl}/llms.txt` },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': guidance(config),
    },
    'x-agentcash-guidance': { llmsTxtUrl: `${baseUrl}/llms.txt` },
    externalDocs: { description: 'The machine specification.', url: `${baseUrl}/llms.txt` },
    servers: [{ url: baseUrl, description: 'This service.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(config),
    components: {
      schemas: SCHEMAS,
      headers: HEADERS,
      examples: errorExamples(ENDPOINTS),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/**
 * One token, two schemes: tools that look for paid endpoints take a scheme of type apiKey for a
 * condition of the call; a token is one only on endpoints that accept nothing else.
 */
const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'tk_<wallet>_<secret>',
    description: 'Prepaid credits, instead of an x402 payment. From POST /api/credits or POST /api/redeem.',
  },
  creditToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The same bearer token ("Bearer tk_..."), on endpoints that read it but charge nothing themselves.',
  },
} as const;

function pathsOf(config: DiscoveryConfig): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of ENDPOINTS) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, config),
    };
  }
  return paths;
}

function operationOf(endpoint: Endpoint, config: DiscoveryConfig): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf(endpoint),
    ...paymentInfo(endpoint, config),
    requestParams: parametersOf(endpoint),
    ...bodyOf(endpoint),
    responses: responsesOf(endpoint, config),
  };
}

function securityOf({ payment }: Endpoint): NonNullable<ZodOpenApiOperationObject['security']> {
  switch (payment.kind) {
    case 'per_call':
      return [{}, { bearer: [] }];
    case 'by_tool':
    case 'balance':
      return [{}, { creditToken: [] }];
    case 'x402':
    case 'free':
      return [];
  }
}

/** What discovery tools look for at a paid operation. */
function paymentInfo(endpoint: Endpoint, config: DiscoveryConfig) {
  const sold = soldAt(endpoint);
  if (sold === null) return {};
  const amount = toPriceText(paymentOffer(sold, config).amountMicros);
  return { 'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount }, protocols: [{ x402: {} }] } };
}

const BODIES: Readonly<Record<string, { readonly schema: z.ZodType; readonly example: object }>> = {
  checkOrderByBody: {
    schema: BODY_SCHEMAS.OrderRequest,
    example: { slug: 'will-it-rain-tomorrow', outcome: 'Yes', usd: 250 },
  },
  evaluateOrder: {
    schema: BODY_SCHEMAS.EvaluateRequest,
    example: { book: EVALUATED_BOOK, side: 'BUY', usd: 100, plan: true },
  },
  redeemPromoCode: { schema: BODY_SCHEMAS.RedeemRequest, example: REDEEM_EXAMPLE.request },
  renewToken: { schema: BODY_SCHEMAS.TokenRequest, example: RENEW_EXAMPLE.request },
  callMcp: { schema: BODY_SCHEMAS.RpcMessage, example: RPC_EXAMPLES.request },
};

function bodyOf({ operationId }: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const body = BODIES[operationId];
  if (body === undefined) return {};
  const content = { 'application/json': { schema: body.schema, example: body.example } };
  return { requestBody: { required: true, content } };
}

/**
 * Puts examples into parameters, and takes out of their schemas the descriptions that stand beside
 * them.
 */
function shorten(document: ReturnType<typeof createDocument>): object {
  for (const path of Object.values(document.paths ?? {})) {
    for (const parameter of [path.get, path.post].flatMap((operation) => operation?.parameters ?? [])) {
      if (!('name' in parameter)) continue;
      const example = PARAMETER_EXAMPLES[parameter.name];
      if (example !== undefined) parameter.example = example;
      if (parameter.schema !== undefined && 'description' in parameter.schema) delete parameter.schema.description;
    }
  }
  return document;
}
