/** As in #api/docs-paths, which knows every endpoint and is not for browsers. */
export const DOCS_INDEX_URL = '/docs/index.json';
