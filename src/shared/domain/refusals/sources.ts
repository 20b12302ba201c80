/** Of a text in the venue's own list of errors. */
export const DOCUMENTED = {
  documented: true,
  sources: ['https://docs.polymarket.com/resources/error-codes'],
} as const;

/** Of a text that answers had: threads as `owner/repository#number`. */
export function seenIn(...threads: readonly string[]) {
  const sources = threads.map((thread) => `https://github.com/${thread.replace('#', '/issues/')}`);
  return { documented: false, sources } as const;
}

/** Of a text in the code of an official client. */
export function codeOf(repository: string) {
  return { documented: false, sources: [`https://github.com/${repository}`] } as const;
}
