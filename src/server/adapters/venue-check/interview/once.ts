/** Returns a function that asks at its first call, and gives the same answer to all others. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask();
    return answer;
  };
}
