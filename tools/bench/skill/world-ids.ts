/** Ids of the generated tape are plain texts made from numbers. */
export const eventIdOf = (event: number): string => `e${event}`;
export const conditionOf = (market: number): string => `c${market}`;
export const tokenOf = (market: number, outcome: number): string => `t${market * 2 + outcome}`;

/** Returns the number of the market of a condition. */
export const marketOf = (condition: string): number => Number(condition.slice(1));
