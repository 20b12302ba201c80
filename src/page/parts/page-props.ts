import type { PageAssets, PageFacts } from '#api/pages';
import type { StatusReport } from '#api/status';

/** What every page is rendered from. */
export interface PageProps {
  readonly facts: PageFacts;
  readonly assets: PageAssets;
  /** Of this moment, for the page that is made at each request. */
  readonly report?: StatusReport;
}
