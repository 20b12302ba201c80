/** Returns the next 1, 2 or 5 of a power of ten that is not below. Takes what is above 0. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((times) => Number((times * power).toPrecision(1))).find((end) => end >= value) ?? value;
}
