/** Returns a decimal text with a comma at each thousand. */
export function grouped(text: string): string {
  const [whole, part] = text.split('.');
  const thousands = whole!.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? thousands : `${thousands}.${part}`;
}

/** Returns a size as a label has it: $5, $1.2k, $3M. */
export function compactUsd(usd: number): string {
  const { unit, letter } = UNITS.find((one) => usd >= one.unit) ?? { unit: 1, letter: '' };
  return `$${Number((usd / unit).toPrecision(2))}${letter}`;
}

const UNITS = [
  { unit: 1e6, letter: 'M' },
  { unit: 1e3, letter: 'k' },
] as const;
