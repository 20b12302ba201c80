/** What a page noticed of itself, since its document was opened. */
export interface Noticed {
  /** What its policy forbade, as "directive blocked". */
  readonly reports: string[];
  /** Milliseconds of each task that held the page up for 50 ms or more. */
  readonly longTasksMs: number[];
  /** Sum of the shifts that nobody caused by a key or a click. */
  layoutShift: number;
}

interface Entry {
  readonly duration: number;
  readonly value: number;
  readonly hadRecentInput: boolean;
}
interface Violation {
  readonly effectiveDirective: string;
  readonly blockedURI: string;
  readonly sample: string;
}

/**
 * What is there in a page, of what is used here: tests are compiled without the types of a
 * document.
 */
interface PageGlobals {
  noticed: Noticed;
  addEventListener(name: 'securitypolicyviolation', received: (violation: Violation) => void): void;
  readonly PerformanceObserver: new (
    received: (list: { getEntries(): readonly Entry[] }) => void,
  ) => { observe(options: { readonly type: string; readonly buffered: true }): void };
}

/** Runs in the page before anything of its own (page.addInitScript). */
export function watch(): void {
  const page = globalThis as unknown as PageGlobals;
  const noticed: Noticed = { reports: [], longTasksMs: [], layoutShift: 0 };
  page.noticed = noticed;
  page.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    noticed.reports.push(`${effectiveDirective} ${blockedURI} ${sample}`.trim()),
  );
  const observe = (type: string, note: (entry: Entry) => void) =>
    new page.PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('longtask', ({ duration }) => void noticed.longTasksMs.push(duration));
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) noticed.layoutShift += value;
  });
}

/** Runs in the page: what it noticed so far. */
export function readNoticed(): Noticed {
  return (globalThis as unknown as PageGlobals).noticed;
}

interface Shown {
  readonly textContent: string | null;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  contains(other: unknown): boolean;
  matches(selector: string): boolean;
  checkVisibility(): boolean;
  getBoundingClientRect(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}
interface Drawn {
  readonly document: {
    querySelectorAll(selector: string): Iterable<Shown>;
    elementFromPoint(x: number, y: number): Shown | null;
  };
  readonly innerWidth: number;
  readonly innerHeight: number;
}

/**
 * Runs in the page: figures that are wider than their place. Without its first digits one would be
 * another number.
 */
export function listCutFigures(): readonly string[] {
  const { document } = globalThis as unknown as Drawn;
  const cut = [...document.querySelectorAll('.number')].filter((one) => one.scrollWidth > one.clientWidth + 1);
  return cut.map(({ textContent }) => `${textContent}`);
}

/**
 * Runs in the page: what strangers wrote that is higher than a name may be, whatever its length.
 */
export function listTall(): readonly string[] {
  const { document } = globalThis as unknown as Drawn;
  const tall = [...document.querySelectorAll('.foreign')].filter((one) => one.getBoundingClientRect().height > 320);
  return tall.map(({ textContent }) => `${textContent?.slice(0, 40)}`);
}

/**
 * Runs in the page: the headings, links and controls in the window that something else is drawn
 * over.
 */
export function listCovered(): readonly string[] {
  const { document, innerWidth, innerHeight } = globalThis as unknown as Drawn;
  const shown = [...document.querySelectorAll('h1, h2, h3, nav a, main a, button, input, select, summary')];
  return shown.flatMap((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const [centreX, centreY] = [x + width / 2, y + height / 2];
    const isInside = centreX > 0 && centreY > 0 && centreX < innerWidth && centreY < innerHeight;
    // What lies in details that are closed has a place of its own, and is not shown.
    if (!isInside || width < 2 || height < 2 || !element.checkVisibility()) return [];
    const top = document.elementFromPoint(centreX, centreY);
    const isFree = top !== null && (element.contains(top) || top.contains(element));
    // The bar at the lower edge goes on with the page, and ends behind all that it could cover.
    return isFree || top?.matches('.verdict-bar, .verdict-bar *')
      ? []
      : [`${element.textContent?.trim().slice(0, 40)} at ${centreX}, ${centreY}`];
  });
}
