import { OrderNumbersSchema } from '#api/order-numbers';
import type { PageFacts } from '#api/pages';
import { Island } from '../parts/island.js';
import { Verifier } from '../parts/verify/verifier.js';

/** What the interface says of each number, in its own words. */
const NUMBER_TEXTS = Object.fromEntries(
  Object.entries(OrderNumbersSchema.shape).map(([name, schema]) => [name, schema.description ?? '']),
);

export function Verify({ facts: { baseUrl } }: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Verify an answer</h1>
      <p>
        An answer about an order or a wallet that was asked for with <code>evidence=1</code> carries what it was
        computed from, signed: the order book, or the wallet's entries. This page checks the signature by the keys of
        this service and computes every number again, in this tab. What you give it is sent nowhere.
      </p>
      <noscript>
        <p class="card note">
          Without script nothing can be computed here. The command line does the same:{' '}
          <code class="foreign">preflight verify answer.json --fetch-keys --url {baseUrl}</code>
        </p>
      </noscript>
      <Island id="verifier" of={Verifier} props={{ issuer: baseUrl, numberTexts: NUMBER_TEXTS }} />
    </>
  );
}
