import type { DocsTable } from '#api/docs-page';
import { tableOf } from '../markdown.js';

/** The parts of /openapi.json that the page shows. */
export interface ReadOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: ReadSchema;
  }[];
  readonly requestBody?: { readonly content: ReadContent };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: ReadContent }>>;
}

interface ReadMedia {
  readonly schema: ReadSchema;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

type ReadContent = Readonly<Record<string, ReadMedia>>;

export interface ReadSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly ReadSchema[];
  readonly oneOf?: readonly ReadSchema[];
  readonly items?: ReadSchema;
  readonly properties?: Readonly<Record<string, ReadSchema>>;
}

/** Returns every parameter of an operation, in the query or as a header. */
export function parametersOf({ parameters = [] }: ReadOperation): DocsTable {
  const rows = parameters.map(({ name, in: location, description = '', schema }) => [
    `\`${name}\``,
    location,
    typeOf(schema),
    description + defaultOf(schema),
  ]);
  return tableOf(['Parameter', 'In', 'Type', 'Meaning'], rows);
}

/** Returns what an operation answers by status, and with which forms. */
export function answersOf({ responses }: ReadOperation): DocsTable {
  const rows = Object.entries(responses).map(([status, { description, content }]) => [
    status,
    schemasIn(content).map(linkTo).join(', '),
    withLinks(description),
  ]);
  return tableOf(['Status', 'Form', 'Meaning'], rows);
}

/** Returns an example of a good answer as JSON; null if there is none. */
export function answerExample({ responses }: ReadOperation): string | null {
  const examples = responses['200']?.content?.['application/json']?.examples ?? {};
  const value = Object.values(examples)[0]?.value;
  return value === undefined ? null : JSON.stringify(value, null, 2);
}

/** Returns the names of the schemas of a body. */
export function schemasIn(content: ReadContent | undefined): readonly string[] {
  const schema = content?.['application/json']?.schema;
  return (schema?.anyOf ?? (schema === undefined ? [] : [schema])).flatMap(({ $ref }) =>
    $ref === undefined ? [] : [nameIn($ref)],
  );
}

/** Returns the fields of a schema, those of objects in it by their path. */
export function fieldsOf(schema: ReadSchema): DocsTable {
  const rows = [...eachField(schema, '')].map(([path, field]) => [
    `\`${path}\``,
    typeOf(field),
    (field.description ?? '') + defaultOf(field),
  ]);
  return tableOf(['Field', 'Type', 'Meaning'], rows);
}

function* eachField({ properties = {} }: ReadSchema, before: string): Generator<readonly [string, ReadSchema]> {
  for (const [name, field] of Object.entries(properties)) {
    const path = before + name;
    yield [path, field];
    const parts = [field, ...(field.anyOf ?? [])];
    for (const part of parts) {
      yield* eachField(part, `${path}.`);
      if (part.items !== undefined) yield* eachField(part.items, `${path}[].`);
    }
  }
}

function typeOf(schema: ReadSchema): string {
  if (schema.$ref !== undefined) return linkTo(nameIn(schema.$ref));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return [...new Set(either.map(typeOf))].join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return [schema.format ?? types.join(' or ')].join('');
}

function defaultOf(schema: ReadSchema): string {
  return schema.default === undefined ? '' : ` If left out: \`${String(schema.default)}\`.`;
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function linkTo(schema: string): string {
  return `[${schema}](#${schema})`;
}

/** Error codes lead to their rows. */
function withLinks(description: string): string {
  const [before = '', codes] = description.split('Codes: ');
  if (codes === undefined) return description;
  return `${before}${codes.replaceAll(/`(\w+)`/g, '[$1](#$1)')}`;
}
