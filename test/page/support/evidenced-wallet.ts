import type { Page } from 'playwright-core';
import { jwks } from '#discovery/jwks';
import { CONFIG } from '#test/support/discovery';
import type { EvidenceFixture } from '#test/support/evidence-fixture';
import { ratingWithEvidence } from '#test/support/evidenced-ratings';
import { AS_OF_S } from '#test/support/sample-ratings';
import { frameOf, SKILLED_WALLET, skilledWallet } from '#test/support/skilled-wallet';

/** A rating with evidence as the service at an address would sign it, and the keys that it would publish. */
export interface EvidencedWallet {
  readonly text: string;
  /** Answers in the place of the service: its keys, and each question about a wallet. */
  answerFor(page: Page): Promise<void>;
}

/** Returns a rating that is signed with the keys of the fixture. */
export async function evidencedWallet(issuer: string, fixture: EvidenceFixture): Promise<EvidencedWallet> {
  const asked = { wallet: SKILLED_WALLET, ...skilledWallet(), frame: frameOf(AS_OF_S) };
  const text = (await ratingWithEvidence(asked, fixture, issuer))!;
  const { body } = jwks({ ...CONFIG, evidenceKeys: fixture.keys });
  const contentType = 'application/json';
  return {
    text,
    async answerFor(page) {
      await page.route('**/.well-known/jwks.json', (route) => route.fulfill({ contentType, body }));
      await page.route('**/api/preflight_copy?*', (route) => route.fulfill({ contentType, body: text }));
    },
  };
}
