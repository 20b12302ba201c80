import { gzipSync } from 'node:zlib';
import accepts from 'accepts';
import { DOCS_INDEX_PATH } from '#api/docs-page';
import { type LiveFacts, PAGE_PATHS, type RenderedPage, type RenderedPages } from '#api/pages';
import type { StatusReport } from '#api/status';
import type { DoorRequest } from '#doors/request';
import type { Answer, Handler, HeaderPairs, Route } from '#doors/route';
import type { Clock } from '#system/clock';
import { type Coding, coded, codedText, formOf } from './coded.js';
import { nothingHere } from './routes.js';

type PageForms = Readonly<Record<Coding, Uint8Array>>;

/** A file that pages load, in each form that it was made in. */
export interface PageAsset {
  readonly path: string;
  readonly contentType: string;
  readonly forms: PageForms;
}

/** Everything that is served to people: documents, and what these load. */
export interface Pages extends RenderedPages {
  readonly assets: readonly PageAsset[];
}

const HTML = 'text/html; charset=utf-8';
/**
 * A document names its assets, so that one that is kept too long would ask for files of a build
 * before.
 */
const DOCUMENT_CACHE = 'public, no-cache';
/** The name has the hash of the content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';
/** What the search of the documentation is made from changes with the build. */
const INDEX_CACHE_S = 300;
/** How old a document that is made at each request may be. */
const LIVE_MS = 1_000;

/** What is told to those who come to a page and do not ask for HTML: where everything is. */
const LINKS = JSON.stringify({
  name: 'Preflight',
  spec: '/llms.txt',
  openapi: '/openapi.json',
  manifest: '/agent.json',
  pricing: '/pricing.md',
  auth: '/auth.md',
  status: '/status.json',
  mcp: '/mcp',
  pages: Object.values(PAGE_PATHS),
});

const LINKS_ANSWER: Answer = { status: 200, body: LINKS, cacheControl: DOCUMENT_CACHE, headers: ['Vary', 'Accept'] };

const VARY: HeaderPairs = ['Vary', 'Accept'];
/** Where only programs look. */
const PROGRAM_PATHS = /^\/(?:api|assets|demo|mcp|\.well-known)(?:\/|$)/;

function wantsHtml(req: DoorRequest): boolean {
  return accepts(req).type(['json', 'html']) === 'html';
}

/** What a page that is made at each request tells of. */
export interface LivePageDeps {
  readonly status: () => Promise<StatusReport>;
  /** GET /status/history.json as text. */
  readonly statusHistory: () => string;
  /** GET /scoreboard.json as text. */
  readonly scoreboard: { text(): string };
  readonly clock: Clock;
}

/** GET of each page and of each file that pages load. */
export function pageRoutes({ documents, assets, docsIndex }: Pages, live: LivePageDeps): readonly Route[] {
  const document = (page: RenderedPage) =>
    page.at === undefined ? documentRoute(page) : liveRoute(page, page.at, live);
  const index = { path: DOCS_INDEX_PATH, methods: { GET: codedText(docsIndex, INDEX_CACHE_S) } };
  return [...documents.map(document), index, ...assets.map(assetRoute)];
}

/**
 * Answers what no route has taken: a browser with a page, or with the way to the page whose address
 * it was given with a slash behind it; everything else, and all paths of programs, in JSON.
 */
export function missingPage({ documents, missing }: Pick<Pages, 'documents' | 'missing'>): Handler {
  const paths = new Set(documents.map(({ path }) => path));
  return (req) => {
    const [path = '', ...query] = (req.url ?? '').split('?');
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead || PROGRAM_PATHS.test(path) || !wantsHtml(req)) return nothingHere();
    const meant = path.slice(0, -1);
    if (path.endsWith('/') && paths.has(meant)) {
      return { status: 308, body: '', headers: ['Location', [meant, ...query].join('?'), ...VARY] };
    }
    return { status: 404, body: missing(), page: true, contentType: HTML, headers: VARY };
  };
}

/** A document of this moment, made at most once in LIVE_MS for all who ask. */
function liveRoute(
  { path }: RenderedPage,
  at: NonNullable<RenderedPage['at']>,
  { status, statusHistory, scoreboard, clock }: LivePageDeps,
): Route {
  let made: { readonly forms: Promise<Pick<PageForms, 'gzip' | 'identity'>>; readonly atMs: number } | null = null;
  const live: LiveFacts = {
    report: status,
    history: () => JSON.parse(statusHistory()),
    scoreboard: () => JSON.parse(scoreboard.text()),
  };
  const make = async () => {
    const identity = Buffer.from(await at(live));
    return { identity, gzip: gzipSync(identity) };
  };
  const GET = async (req: DoorRequest): Promise<Answer> => {
    if (!wantsHtml(req)) return LINKS_ANSWER;
    const nowMs = clock.elapsedMs();
    if (made === null || nowMs - made.atMs >= LIVE_MS) made = { forms: make(), atMs: nowMs };
    const forms = await made.forms;
    const isGzip = accepts(req).encodings().includes('gzip');
    const coding = isGzip ? ['Content-Encoding', 'gzip'] : [];
    const headers: HeaderPairs = ['Vary', 'Accept, Accept-Encoding', ...coding];
    return { status: 200, body: isGzip ? forms.gzip : forms.identity, page: true, contentType: HTML, headers };
  };
  return { path, methods: { GET } };
}

function documentRoute(page: RenderedPage): Route {
  const about = { page: true, contentType: HTML, cacheControl: DOCUMENT_CACHE, vary: 'Accept' } as const;
  // Not before somebody asks: to read it renders it, which takes a quarter of the CPU of a start.
  const answer = coded((coding) => formOf(page.html, coding), about);
  const GET = (req: DoorRequest) => (wantsHtml(req) ? answer(req) : LINKS_ANSWER);
  return { path: page.path, methods: { GET } };
}

function assetRoute({ path, contentType, forms }: PageAsset): Route {
  const about = { page: true, contentType, cacheControl: ASSET_CACHE } as const;
  return { path, methods: { GET: coded((coding) => forms[coding], about) } };
}
