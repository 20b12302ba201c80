/** Returns a decimal text with a comma at each thousand. */
export function grouped(text: string): string {
  const [whole, part] = text.split('.');
  const thousands = whole!.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? thousands : `${thousands}.${part}`;
}
