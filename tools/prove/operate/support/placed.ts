/** Returns the text with the paths of a server below a folder that stands for its root. */
export function placedUnder(root: string, text: string): string {
  return text.replaceAll(/(?<![\w.$-])\/(?=(?:opt|etc|tmp|var)\/)/g, `${root}/`);
}
