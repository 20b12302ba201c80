/** Plain text with single blanks: what nearly all names are, and all that most callers type. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const APOSTROPHES = /[\u2018\u2019\u201a\u201b\u02b9\u02bc\u00b4\u2032\uff07]/g;
const QUOTES = /[\u201c-\u201f\u2033\uff02]/g;
/** Blanks of every width and line ends, and marks that are not seen. */
const BLANKS = /[\s\p{C}]+/gu;
/** Accents, and the dot of İ in lower case. In other scripts a mark makes another letter. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu;
const FINAL_SIGMA = /ς/g;

/**
 * Returns the one spelling of a name that people and the venue type differently: in any case, with
 * accents or without, with typographic dashes, apostrophes and blanks or plain ones.
 */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  const plain = name.replace(DASHES, '-').replace(APOSTROPHES, "'").replace(QUOTES, '"').normalize('NFKC');
  // Some letters have two in the other case: ß is SS.
  const inOneCase = plain.toLowerCase().toUpperCase().toLowerCase();
  const folded = inOneCase.normalize('NFD').replace(ACCENTS, '$1').replace(FINAL_SIGMA, 'σ');
  return folded.normalize('NFKC').replace(DASHES, '-').replace(APOSTROPHES, "'").replace(BLANKS, ' ').trim();
}
