import type { PageAssets, PageFacts } from '#api/pages';

/** What every page is rendered from. */
export interface PageProps {
  readonly facts: PageFacts;
  readonly assets: PageAssets;
}
