import { expect } from 'chai';
import { sectionOf } from '#test/support/operate-page';

/** What an incident's page names, so that what is played is what stands there. */
export interface IncidentPage {
  /** Returns the text, which has to stand on the page. */
  said(text: string): string;
}

export function incidentPage(heading: string): IncidentPage {
  const page = sectionOf(heading).replaceAll(/\s+/g, ' ');
  return {
    said(text) {
      expect(page, `the page of "${heading}"`).to.include(text);
      return text;
    },
  };
}
