import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './source-tree.js';

/** A text of the project: a source file or a page. */
export interface CitingText {
  readonly path: string;
  readonly text: string;
}

/**
 * A page and a heading of it, in the one form in which comments cite: path, comma, heading in
 * quotation marks.
 */
const CITATION = /(docs\/[\w/-]+\.md)`?(?:,\s"([^"]{1,80})")?/g;

/** Forms of citation that lead nowhere a reader can follow. */
const DANGLING =
  /\b(?:ratings|payments|venue|reliability|performance|architecture) (?:design|notes|docs)\b|\b(?:interface|architecture|design),? (?:section \d|\("|")|\bdesign, \d/g;

/** Links of Markdown that stay inside the project. */
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;

/**
 * Returns every citation of a page that does not exist, or of a heading that the page does not
 * have.
 */
export function brokenCitations({ path, text }: CitingText): readonly string[] {
  return [...unwrapped(text).matchAll(CITATION)].flatMap(([, page, heading]) => {
    const existing = headingsOf(join(ROOT, page!));
    if (existing === null) return [`${path} cites ${page}, which does not exist`];
    if (heading === undefined || existing.includes(heading)) return [];
    return [`${path} cites ${page}, "${heading}", and that page has no such heading`];
  });
}

/** Returns every citation in a form that names no page of the project. */
export function danglingCitations({ path, text }: CitingText): readonly string[] {
  return [...unwrapped(text).matchAll(DANGLING)].map(([found]) => `${path} cites "${found}"`);
}

/** Returns every relative link whose file does not exist, or whose anchor is no heading of it. */
export function brokenLinks({ path, text }: CitingText): readonly string[] {
  return [...withoutCode(text).matchAll(LINK)].flatMap(([, target]) => {
    if (/^[a-z]+:/i.test(target!)) return [];
    const [file, anchor] = target!.split('#', 2) as [string, string?];
    const page = file === '' ? path : posix.join(posix.dirname(path), file);
    if (!existsSync(join(ROOT, page))) return [`${path} links to ${target}, which does not exist`];
    if (anchor === undefined) return [];
    const anchors = headingsOf(join(ROOT, page))?.map(toAnchor) ?? [];
    return anchors.includes(anchor) ? [] : [`${path} links to ${target}, and that page has no such heading`];
  });
}

/** Paths of the project, as pages name them. */
const NAMED_PATH = /`((?:src|test|machines|streams|docs|examples|scripts)\/[\w./-]*)`/g;

/** Returns every path in a page's code marks that leads to no file or folder. */
export function missingPaths({ path, text }: CitingText): readonly string[] {
  return [...text.matchAll(NAMED_PATH)]
    .filter(([, named]) => !existsSync(join(ROOT, named!)))
    .map(([, named]) => `${path} names ${named}, which does not exist`);
}

/**
 * Returns how many citations and links a text holds, so that a test can tell that it looks at
 * something.
 */
export function countReferences({ text }: CitingText): number {
  return [...unwrapped(text).matchAll(CITATION), ...text.matchAll(LINK)].length;
}

/**
 * The text with every line break, and the marks that continue a comment, as one space: citations
 * may be wrapped anywhere.
 */
function unwrapped(text: string): string {
  return text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
}

const headings = new Map<string, readonly string[] | null>();

/** Returns the headings of a page without their marks; null where there is no such page. */
function headingsOf(file: string): readonly string[] | null {
  const existing = headings.get(file);
  if (existing !== undefined) return existing;
  const found = existsSync(file) ? readHeadings(file) : null;
  headings.set(file, found);
  return found;
}

function readHeadings(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^```.*?^```/gms, '')
    .split('\n');
  return lines.flatMap((line) => /^#{1,6} +(.+?) *$/.exec(line)?.[1] ?? []);
}

/** The anchor that a heading has on the pages that hosts make of Markdown. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
