import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { OPENAPI } from './discovery.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'doc', components: OPENAPI.components }, 'doc');

const compiled = new Map<string, ValidateFunction>();

/** Returns the validator of a schema of /openapi.json; each is compiled once. */
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate;
}

/** Says what is wrong with a value by a schema of /openapi.json; null where nothing is. */
export function faultsOf(schema: object, value: unknown): string | null {
  const validate = validatorOf(schema);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}
