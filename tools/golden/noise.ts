/**
 * What differs between two recordings of one checkout, in raw text and in JSON within JSON: the
 * calendar stands still, but ages and times of creation count the milliseconds since the start, and
 * keys and secrets are random. Numbers become -1, so that JSON stays JSON.
 */
const NOISE: readonly (readonly [RegExp, string])[] = [
  [/(purchase-secret\\*":\{\\*"info\\*":\{\\*"value\\*":\\*")[\w-]+/g, '$1<secret>'],
  [/("kid\\*": ?\\*"|\bKey `)[\w-]{43}/g, '$1<key>'],
  [/("(?:x|y)\\*": ?\\*")[\w-]{43}/g, '$1<key>'],
  [/("(?:book_)?age_seconds\\*": ?)[\d.-]+/g, '$1-1'],
  [/\b(book is )[\d.]+( s old)/g, '$1<age>$2'],
  [/\b(ends|begins) \d+ s (before|after)( the server's time )\d+/g, '$1 <age> s $2$3<now>'],
  [/\b(202[67]-\d\d-\d\d)T(?:11:59|12:0\d):\d\d(?:\.\d{3})?Z/g, '$1T<since the start>Z'],
];

/** A job's estimate follows from how long those before it took. */
const ESTIMATE = /(ready in about )(?:\d+|<estimate>)( s\b)/g;
const ESTIMATED_S = /("retry_after_seconds\\*": ?)(?:\d+|-1)/g;

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
  if (!BASE64_JSON.test(text)) {
    const steadyText = NOISE.reduce((rest, [noise, steady]) => rest.replace(noise, steady), text);
    return isEstimate(text) ? steadyText.replace(ESTIMATE, '$1<estimate>$2').replace(ESTIMATED_S, '$1-1') : steadyText;
  }
  return Buffer.from(cleanedText(Buffer.from(text, 'base64').toString('utf8'))).toString('base64');
}

function isEstimate(text: string): boolean {
  return text.search(ESTIMATE) >= 0;
}

function isMessage(value: object): value is Message {
  return 'headers' in value && 'body' in value && Array.isArray(value.headers) && typeof value.body === 'string';
}

/** Length and tag of a body follow from it, and the seconds since an answer was made are an age. */
function cleanedHeaders({ headers, body }: Message): Message['headers'] {
  // Of what HEAD is answered the body is not to be seen.
  const isNoisy = body === '' || isEstimate(body) || NOISE.some(([noise]) => body.search(noise) >= 0);
  return headers.map(([name, value]) => {
    if (isNoisy && FOLLOWS_FROM_BODY.test(name)) return [name, '<of the body>'];
    if (/^(?:age|x-health-age-ms)$/i.test(name)) return [name, '<age>'];
    if (isEstimate(body) && /^retry-after$/i.test(name)) return [name, '<estimate>'];
    return [name, cleanedText(value).replace(UNTIL_EXPIRY, '$1<until expiry>')];
  });
}
