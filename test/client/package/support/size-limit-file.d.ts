/**
 * It has no types of its own. It is a list, which size-limit takes, but for its types, that ask for
 * functions.
 */
declare module '@size-limit/file' {
  const plugin: (...given: unknown[]) => unknown;
  export default plugin;
}
