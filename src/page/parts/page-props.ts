import type { PageAssets, PageFacts } from '#api/pages';
import type { Scoreboard } from '#api/scoreboard';
import type { StatusReport } from '#api/status';
import type { StatusHistory } from '#api/status-history';

/** How the service is at a moment, and was before. */
export interface StatusNow {
  readonly report: StatusReport;
  readonly history: StatusHistory;
}

/** What every page is rendered from. */
export interface PageProps {
  readonly facts: PageFacts;
  readonly assets: PageAssets;
  /** Of this moment, for the page that is made of it at each request. */
  readonly status?: StatusNow;
  /** The same for the page of what became of verdicts. */
  readonly scoreboard?: Scoreboard;
}
