import type { PageAssets, PageFacts, StatusNow } from '#api/pages';

/** What every page is rendered from. */
export interface PageProps {
  readonly facts: PageFacts;
  readonly assets: PageAssets;
  /** Of this moment, for the page that is made at each request. */
  readonly now?: StatusNow;
}
