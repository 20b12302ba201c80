import { PAGE_PATHS } from '#api/pages';
import type { HeaderObject, OpenApiOperation, OpenApiResponse } from './discovery.js';
import { FILES, OPENAPI } from './discovery.js';
import { faultsOf } from './openapi-schemas.js';

/** An answer of the service, as a client of it has it before it looks into the body. */
export interface SeenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a rule found wrong, in words; nothing where nothing is. */
type Rule = (answer: SeenAnswer) => readonly string[];

const ERROR = { $ref: '#/components/schemas/Error' };
const METHODS = {
  type: 'object',
  properties: { methods: { type: 'array', items: { type: 'string' }, minItems: 1 } },
  required: ['methods'],
  additionalProperties: false,
};
const EVENT_STREAM = 'text/event-stream';
/** What the data of each event is. */
const EVENT_SCHEMAS: Readonly<Record<string, object>> = {
  book: { $ref: '#/components/schemas/DemoBookEvent' },
  stale: { $ref: '#/components/schemas/DemoStaleEvent' },
  closed: { $ref: '#/components/schemas/DemoClosedEvent' },
};
/** Headers that ask something of a caller: an answer that has one must be described with it. */
const MEANING = ['Retry-After', 'PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'];

/**
 * Returns in which points an answer is not what /openapi.json says of it; none where all is as
 * described.
 */
export function breachesOf(answer: SeenAnswer): readonly string[] {
  if (answer.method === 'HEAD') return headBreaches(answer);
  const { method, path, status } = answer;
  const operation = pathItemOf(path)?.[method.toLowerCase()];
  const response = operation?.responses[String(status)];
  if (operation === undefined) return [...commonHeaders(answer), ...undescribed(answer)];
  if (response === undefined) return [`the status is not described (${answer.text.slice(0, 120)})`];
  return [
    ...headerBreaches(response, answer),
    ...bodyBreaches(response, answer),
    ...(status === 402 ? termBreaches(operation, answer) : []),
  ];
}

/** Paths with a part that stands for anything. */
const TEMPLATES = Object.keys(OPENAPI.paths).filter((path) => path.includes('{'));

function pathItemOf(path: string) {
  const isMeant = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return OPENAPI.paths[path] ?? OPENAPI.paths[TEMPLATES.find(isMeant) ?? ''];
}

/** A HEAD is a GET without the body, if there is a GET. */
const headBreaches: Rule = (answer) => {
  const { path, status, text } = answer;
  const body = text === '' ? [] : ['a HEAD has no body'];
  const described = pathItemOf(path)?.get;
  const file = FILES.find((one) => one.path === path);
  if (file !== undefined) return [...body, ...documentBreaches(file.contentType, answer)];
  if (isPage(path)) return [...body, ...pageBreaches(answer)];
  if (described === undefined) return [...body, ...commonHeaders(answer), ...undescribed(answer)];
  const response = described.responses[String(status)];
  return [...body, ...(response === undefined ? ['the status is not described'] : headerBreaches(response, answer))];
};

const isPage = (path: string) => Object.values<string>(PAGE_PATHS).includes(path);

/** A page is HTML, or a list of links for those who did not ask for HTML. */
function pageBreaches(answer: SeenAnswer): readonly string[] {
  const isHtml = answer.headers.get('content-type')?.startsWith('text/html') === true;
  return documentBreaches(isHtml ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8', answer);
}

/** Documents, pages, preflights of browsers, and what is not served at all. */
const undescribed: Rule = (answer) => {
  const { method, path } = answer;
  const file = FILES.find((one) => one.path === path);
  if (method === 'GET' && file !== undefined) return documentBreaches(file.contentType, answer);
  if (method === 'GET' && isPage(path)) return pageBreaches(answer);
  const existing = file !== undefined || isPage(path) || pathItemOf(path) !== undefined;
  if (method === 'OPTIONS' && existing) return preflightBreaches(answer);
  return refusalBreaches(existing ? [405, 'method_not_allowed'] : [404, 'not_found'], answer);
};

function documentBreaches(contentType: string, { status, headers, text }: SeenAnswer): readonly string[] {
  if (status === 304) return text === '' ? [] : ['a 304 has no body'];
  const found = `${status} ${headers.get('content-type')}`;
  return found === `200 ${contentType}` ? [] : [`a document is 200 ${contentType}, not ${found}`];
}

const preflightBreaches: Rule = ({ status, headers, text }) => {
  const fault = status === 200 ? jsonFault(METHODS, text) : `a preflight is 200, not ${status}`;
  return [...(fault === null ? [] : [fault]), ...(headers.has('allow') ? [] : ['there is no Allow header'])];
};

/** A path or a method that does not exist is refused in JSON; the answer to a HEAD has no body. */
function refusalBreaches([status, code]: readonly [number, string], answer: SeenAnswer): readonly string[] {
  const { headers, text } = answer;
  const breaches = answer.status === status ? [] : [`what is not described is ${status}, not ${answer.status}`];
  if (status === 405 && !headers.has('allow')) breaches.push('there is no Allow header');
  if (answer.method === 'HEAD') return breaches;
  const fault = jsonFault(ERROR, text);
  if (fault !== null) return [...breaches, fault];
  const received = JSON.parse(text).code;
  return received === code ? breaches : [...breaches, `the code is ${code}, not ${received}`];
}

const commonHeaders: Rule = ({ headers }) =>
  ['X-API-Version', 'X-Request-Id'].flatMap((name) => headerFaults(name, headerOf(name, {}), headers));

function headerBreaches({ headers: described = {} }: OpenApiResponse, { headers }: SeenAnswer): readonly string[] {
  const strangers = MEANING.filter((name) => headers.has(name) && !(name in described));
  return [
    ...Object.entries(described).flatMap(([name, header]) => headerFaults(name, headerOf(name, header), headers)),
    ...strangers.map((name) => `the header ${name} is not described`),
  ];
}

/** A header as it stands there, or the one that is referred to by its name. */
function headerOf(name: string, header: object): HeaderObject {
  return 'schema' in header ? (header as HeaderObject) : OPENAPI.components.headers[name]!;
}

/** The text of a header by its schema; where it is base64 of JSON, what it holds too. */
function headerFaults(name: string, { required, schema }: HeaderObject, headers: Headers): readonly string[] {
  const text = headers.get(name);
  if (text === null) return required ? [`there is no header ${name}`] : [];
  const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
  const held = schema.contentSchema === undefined ? null : jsonFault(schema.contentSchema, decode(text));
  return [faultsOf(schema, value), held].flatMap((fault) => (fault === null ? [] : [`${name}: ${fault}`]));
}

function bodyBreaches({ content }: OpenApiResponse, { headers, text, status }: SeenAnswer): readonly string[] {
  if (content === undefined) return text === '' ? [] : ['a body is not described'];
  const type = headers.get('content-type')?.split(';')[0] ?? 'none';
  const media = content[type];
  if (media === undefined) return [`the media type ${type} is not described`];
  if (type === EVENT_STREAM) return eventBreaches(text);
  const fault = jsonFault(media.schema, text);
  if (fault !== null) return [fault];
  const { code } = JSON.parse(text);
  const named = status === 402 || code === undefined || code in (media.examples ?? {});
  return named ? [] : [`the code ${code} is not described`];
}

/** The last event may have been cut off with its stream. */
function eventBreaches(text: string): readonly string[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((event) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      if (name === undefined) return /^(?:: ping|retry: \d+)$/.test(event) ? [] : [`no event: ${event.slice(0, 60)}`];
      const schema = EVENT_SCHEMAS[name];
      const fault = schema === undefined ? 'it is not described' : jsonFault(schema, data!);
      return fault === null ? [] : [`event ${name}: ${fault}`];
    });
}

/** Both x402 forms of a 402 say the same, and it is what the operation costs. */
function termBreaches(operation: OpenApiOperation, { headers, text }: SeenAnswer): readonly string[] {
  const [v1] = JSON.parse(text).accepts;
  const {
    accepts: [v2],
    resource,
  } = JSON.parse(decode(headers.get('PAYMENT-REQUIRED') ?? '') || '{"accepts":[{}]}');
  const price = Math.round(Number(operation['x-payment-info']?.price.amount) * 1e6);
  const same =
    v1.maxAmountRequired === v2.amount &&
    v1.asset === v2.asset &&
    v1.payTo === v2.payTo &&
    v1.resource === resource?.url &&
    v1.maxTimeoutSeconds === v2.maxTimeoutSeconds;
  return [
    ...(same ? [] : ['the two forms of the terms differ']),
    ...(v1.maxAmountRequired === String(price) ? [] : [`the price is ${price}, not ${v1.maxAmountRequired}`]),
  ];
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function jsonFault(schema: object, text: string): string | null {
  try {
    return faultsOf(schema, JSON.parse(text));
  } catch (error) {
    return `not JSON: ${(error as Error).message.slice(0, 60)}`;
  }
}
