/** What V8 counted of a script. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

/** A file of the product with the functions of it that every request called. */
export interface PassedFile {
  readonly path: string;
  readonly functions: readonly string[];
}

/**
 * Returns the files under a folder of which a function was called at least so often, most functions
 * first. What is called less often is done now and then, by a timer for one.
 */
export function passedFiles(
  scripts: readonly ScriptCoverage[],
  folderUrl: string,
  times: number,
): readonly PassedFile[] {
  return scripts
    .filter(({ url }) => url.startsWith(folderUrl))
    .map(({ url, functions }) => ({
      path: url.slice(folderUrl.length),
      functions: functions
        .filter(({ ranges }) => ranges[0]!.count >= times)
        .map(({ functionName }) => functionName || '(anonymous)'),
    }))
    .filter(({ functions }) => functions.length > 0)
    .sort((a, b) => b.functions.length - a.functions.length || (a.path < b.path ? -1 : 1));
}
