import type { FoundRefusal } from '#domain/refusals/refusals';
import { plain, wrap } from '../plain-text.js';
import type { Frame } from './frame.js';

const UNKNOWN =
  'This text is not in the list: nothing is known of it. Treat the order as one that may have been filled unless the status was 4xx.';
const ORDER = {
  none: 'Nothing was filled and nothing rests.',
  unknown: 'It may be live or filled: look it up before you send another one.',
} as const;
const INDENT = 9;

/** Draws what a refusal means and what to change; null: its text is not known. */
export function refusalLines(found: FoundRefusal | null, frame: Frame): readonly string[] {
  if (found === null) return wrap(UNKNOWN, frame.columns);
  const { refusal, values } = found;
  const named = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  const rows: readonly (readonly [string, string])[] = [
    ['meaning', refusal.meaning],
    ['rule', refusal.rule],
    ['change', refusal.remedy],
    ['order', ORDER[refusal.order]],
    ...(named.length === 0 ? [] : [['here', named.join(', ')] as const]),
    ['source', refusal.sources.join(' ')],
  ];
  return [refusal.id, ...rows.flatMap(([name, text]) => labelled(name, text, frame))];
}

function labelled(name: string, text: string, { columns }: Frame): readonly string[] {
  return wrap(plain(text), columns - INDENT).map((line, at) => (at === 0 ? name : '').padEnd(INDENT) + line);
}
