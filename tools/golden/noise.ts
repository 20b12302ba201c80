/**
 * What differs between two recordings of one checkout, in raw text and in JSON within JSON: the
 * calendar stands still, but ages and times of creation count the milliseconds since the start, and
 * keys and secrets are random. Numbers become -1, so that JSON stays JSON.
 */
const NOISE: readonly (readonly [RegExp, string])[] = [
  [/(purchase-secret\\*":\{\\*"info\\*":\{\\*"value\\*":\\*")[\w-]+/g, '$1<secret>'],
  [/("kid\\*": ?\\*"|Key now: `)[\w-]{43}/g, '$1<key>'],
  [/("(?:x|y)\\*": ?\\*")[\w-]{43}/g, '$1<key>'],
  [/("(?:book_)?age_seconds\\*": ?)[\d.-]+/g, '$1-1'],
  [/\b(book is )[\d.]+( s old)/g, '$1<age>$2'],
  [/\b(202[67]-\d\d-\d\d)T(?:11:59|12:0\d):\d\d(?:\.\d{3})?Z/g, '$1T<since the start>Z'],
];

/** The seconds until something expires; longer and shorter ones are constants. */
const UNTIL_EXPIRY = /\b(max-age=)\d{5}\b/g;
const BASE64_JSON = /^eyJ[A-Za-z0-9+/]{37,}={0,2}$/;
const FOLLOWS_FROM_BODY = /^(?:content-length|etag)$/i;

interface Message {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Returns a recorded value without noise; one without noise stays as it is. */
export function withoutNoise<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  if (isMessage(value)) return { ...value, headers: cleanedHeaders(value), body: cleanedText(value.body) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]));
}

function cleanedText(text: string): string {
  if (!BASE64_JSON.test(text)) return NOISE.reduce((rest, [noise, steady]) => rest.replace(noise, steady), text);
  return Buffer.from(cleanedText(Buffer.from(text, 'base64').toString('utf8'))).toString('base64');
}

function isMessage(value: object): value is Message {
  return 'headers' in value && 'body' in value && Array.isArray(value.headers) && typeof value.body === 'string';
}

/** Length and tag of a body follow from it, and the seconds since an answer was made are an age. */
function cleanedHeaders({ headers, body }: Message): Message['headers'] {
  // Of what HEAD is answered the body is not to be seen.
  const isNoisy = body === '' || NOISE.some(([noise]) => body.search(noise) >= 0);
  return headers.map(([name, value]) => {
    if (isNoisy && FOLLOWS_FROM_BODY.test(name)) return [name, '<of the body>'];
    if (/^age$/i.test(name)) return [name, '<age>'];
    return [name, cleanedText(value).replace(UNTIL_EXPIRY, '$1<until expiry>')];
  });
}
