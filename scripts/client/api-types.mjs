import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/**
 * Returns declarations of types of src/shared/api/, given with their modules, that need no schema:
 * each is written out from its schema, with the descriptions. Throws on a type that follows from no
 * schema.
 */
export async function apiTypes(root, modulesOfNames) {
  const names = [...modulesOfNames].sort(([a], [b]) => (a < b ? -1 : 1));
  const types = await Promise.all(names.map(([name, module]) => typeText(root, name, module)));
  return `${types.join('\n')}\n`;
}

async function typeText(root, name, module) {
  const source = readFileSync(join(root, 'src/shared', `${module}.ts`), 'utf8');
  const [, ofSchema, ofKeys] =
    new RegExp(`export type ${name} = (?:z\\.infer<typeof (\\w+)>|keyof typeof (\\w+));`).exec(source) ?? [];
  if (ofSchema === undefined && ofKeys === undefined) throw new Error(`${module}: ${name} follows from no schema`);
  const built = await import(pathToFileURL(join(root, 'dist/src/shared', `${module}.js`)).href);
  if (ofKeys !== undefined) return `export type ${name} = ${unionOf(Object.keys(built[ofKeys]))};`;
  const schema = z.toJSONSchema(built[ofSchema], { io: 'output' });
  return `${docText(schema, '')}export type ${name} = ${shapeText(schema, '')};`;
}

const unionOf = (values) => values.map((value) => JSON.stringify(value)).join(' | ');

/**
 * The type of a JSON schema. Throws on what it does not know, in place of a type that is not true.
 */
function shapeText(schema, indent) {
  // Any value: what it holds is described in words.
  if (Object.keys(schema).length === 0) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((one) => shapeText(one, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => shapeText({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'object':
      return objectText(schema, indent);
    case 'array':
      return arrayText(schema, indent);
    case 'integer':
      return 'number';
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      throw new Error(`no type is known for ${JSON.stringify(schema)}`);
  }
}

function objectText({ properties = {}, required = [], additionalProperties = false }, indent) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = shapeText(schema, inner);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const member = isRequired ? `${key}: ${type}` : `${key}?: ${type} | undefined`;
    return `${docText(schema, inner)}${inner}${member};\n`;
  });
  if (additionalProperties !== false)
    fields.push(`${inner}[name: string]: ${shapeText(additionalProperties, inner)};\n`);
  return `{\n${fields.join('')}${indent}}`;
}

function arrayText({ items, prefixItems }, indent) {
  if (prefixItems !== undefined) return `[${prefixItems.map((one) => shapeText(one, indent)).join(', ')}]`;
  return `Array<${shapeText(items, indent)}>`;
}

function docText({ description }, indent) {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`;
}
