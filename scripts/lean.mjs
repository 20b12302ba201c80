import { join } from 'node:path';

/**
 * Leaves out of a bundle what its packages carry along for others: the error texts of zod in forty
 * languages, the validator of JSON Schema that an MCP server has for answers of people, whom this
 * one asks nothing, and the operators of RxJS that nobody uses. The tables of iconv-lite, which
 * bodies in UTF-8 never need, stay with their package.
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
    // For Node the package names its CommonJS form, of which nothing can be left out.
    build.onResolve({ filter: /^rxjs$/ }, () => ({
      path: join(build.initialOptions.absWorkingDir, 'node_modules/rxjs/dist/esm/index.js'),
      sideEffects: false,
    }));
    build.onResolve({ filter: /^\.\/tables\/[^/]+\.json$/ }, ({ path, importer }) =>
      importer.includes('/iconv-lite/encodings/')
        ? { path: `iconv-lite/encodings/${path.slice(2)}`, external: true }
        : null,
    );
  },
};
