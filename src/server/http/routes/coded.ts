import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import accepts from 'accepts';
import type { DoorRequest } from '#doors/request';
import type { Answer } from '#doors/route';
import { answerTagged, type Tagged, taggedAnswers } from './tagged.js';

export type Coding = 'br' | 'gzip' | 'identity';

interface About extends Pick<Answer, 'contentType' | 'page'> {
  readonly cacheControl: string;
  /** Request headers that the content depends on, beside Accept-Encoding. */
  readonly vary?: string;
}

/**
 * Enough for what is compressed while others wait for their answers: the best takes ten times as
 * long.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** In the order of preference. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * Returns a text as it is sent. To compress it takes time of the processor, so it is for what is
 * asked for again.
 */
export function formOf(text: string, coding: Coding): Uint8Array | string {
  if (coding === 'identity') return text;
  const bytes = Buffer.from(text);
  return coding === 'br' ? brotliCompressSync(bytes, BROTLI) : gzipSync(bytes);
}

/**
 * Returns what answers in the best form that the reader takes, or with 304 if it has that one. Each
 * form is made when it is first asked for, and has an ETag of its own.
 */
export function coded(
  form: (coding: Coding) => Uint8Array | string,
  { contentType, vary, ...about }: About,
): (req: DoorRequest) => Answer {
  const headers = ['Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`];
  const made: Partial<Record<Coding, Tagged>> = {};
  const make = (one: Coding) => {
    const coding = one === 'identity' ? [] : ['Content-Encoding', one];
    return taggedAnswers({ body: form(one), contentType, coding }, { ...about, headers });
  };
  return (req) => {
    const taken = accepts(req).encodings();
    const one = CODINGS.find((coding) => taken.includes(coding)) ?? 'identity';
    made[one] ??= make(one);
    return answerTagged(req, made[one]);
  };
}

/**
 * Returns what answers with a JSON text, which is compressed anew only with the text: the same
 * should be the same string.
 */
export function codedText(
  textOf: () => string | Promise<string>,
  cacheSeconds: number,
): (req: DoorRequest) => Promise<Answer> {
  const about = { cacheControl: `public, max-age=${cacheSeconds}` };
  let made: { readonly text: string; readonly answer: (req: DoorRequest) => Answer } | null = null;
  return async (req) => {
    const text = await textOf();
    if (made?.text !== text) made = { text, answer: coded((coding) => formOf(text, coding), about) };
    return made.answer(req);
  };
}
