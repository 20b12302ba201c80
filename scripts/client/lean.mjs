/**
 * Leaves out of a bundle what its packages carry along for others: the error texts of zod in forty languages, and the
 * validator of JSON Schema that an MCP server has for answers of people, whom this one asks nothing.
 */
export const lean = {
  name: 'lean',
  setup(build) {
    build.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    build.onLoad({ filter: /\/@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/ }, () => ({
      contents: `export { default as process } from 'node:process';
        export class DefaultJsonSchemaValidator {
          getValidator() {
            throw new Error('this server checks no JSON Schema');
          }
        }`,
    }));
  },
};
