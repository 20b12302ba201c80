import { readFileSync } from 'node:fs';
import type { PageFacts, PageManifest, RenderPages } from '#api/pages';
import type { PageAsset, Pages } from '#http/routes/page.routes';

/** What scripts/page/build.mjs has written, from here and from the bundle alike. */
const BUILT = new URL('./', import.meta.resolve('#dist/page/manifest.json'));

/**
 * Renders the pages of this deployment and reads what they load. Rejects if they were never built.
 */
export async function openPages(facts: PageFacts): Promise<Pages> {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', BUILT), 'utf8')) as PageManifest;
  const { renderPages } = (await import(new URL('render.js', BUILT).href)) as { renderPages: RenderPages };
  const assets = Object.entries(manifest.files).map(([name, contentType]) => readAsset(name, contentType));
  return { ...renderPages(facts, manifest), assets };
}

function readAsset(name: string, contentType: string): PageAsset {
  const read = (ending: string) => readFileSync(new URL(`assets/${name}${ending}`, BUILT));
  return { path: `/assets/${name}`, contentType, forms: { identity: read(''), br: read('.br'), gzip: read('.gz') } };
}
