/** Asks for what some blocks hold; `too_many`: the endpoint wants a shorter range. */
type AskRange<T> = (fromBlock: number, toBlock: number) => Promise<readonly T[] | 'too_many'>;

/**
 * Returns what reads blocks in ranges as long as an endpoint takes, at most `blocksMax`: halved where
 * it finds one too long, and grown by a quarter after each answer. `ask` has to reject where one
 * block alone is too long.
 */
export function createBlockRanges(blocksMax: number) {
  let blocksPerCall = blocksMax;
  return async function read<T>(fromBlock: number, toBlock: number, ask: AskRange<T>): Promise<readonly T[]> {
    const all: T[] = [];
    for (let from = fromBlock; from <= toBlock; ) {
      const to = Math.min(toBlock, from + blocksPerCall - 1);
      const found = await ask(from, to);
      if (found === 'too_many') {
        blocksPerCall = Math.ceil((to - from + 1) / 2);
      } else {
        all.push(...found);
        from = to + 1;
        blocksPerCall = Math.min(blocksMax, blocksPerCall + Math.ceil(blocksPerCall / 4));
      }
    }
    return all;
  };
}
