import type { Store } from '#ports/store';
import type { Findings } from './findings.js';
import { pagesOf } from './pages.js';

/** Looks at the bytes of all rows: at checksums, and at what finds a row. */
export async function checkWritten({ listing }: Store, findings: Findings): Promise<void> {
  if (listing.written === null) return;
  for await (const { items, faults } of pagesOf(listing.written)) {
    findings.addMalformed(faults);
    const summed = items.filter(({ hasChecksum }) => hasChecksum).length;
    findings.saw('rows with a checksum', summed);
    if (summed < items.length) findings.saw('rows without one', items.length - summed);
  }
}
