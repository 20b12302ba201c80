import type { PageFacts } from '#api/pages';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { Island } from '../parts/island.js';
import { CallIt } from '../parts/landing/call-it.js';
import { Honest } from '../parts/landing/honest.js';
import { Prices } from '../parts/landing/prices.js';
import { VerdictWords } from '../parts/landing/verdict-words.js';
import { TryIt } from '../parts/try/try-it.js';

/** What this is, the try-out, and everything that a caller needs first. */
export function Landing({ facts }: { readonly facts: PageFacts }) {
  const { baseUrl } = facts;
  return (
    <>
      <h1>Should this order be sent, now, at this size?</h1>
      <p class="lead">
        Preflight walks the live Polymarket order book with your order before any money moves, and answers{' '}
        <b class="ok">OK</b>, <b class="caution">CAUTION</b> or <b class="veto">VETO</b>, with the numbers behind it.
        Try it here for free; programs ask the same over HTTP or MCP.
      </p>
      <noscript>
        <p class="card note">
          Without script this page shows one example, which cannot be changed. The same by command line, free:{' '}
          <code class="foreign">curl '{baseUrl}/api/preflight_trade?sandbox=1'</code>
        </p>
      </noscript>
      <Island id="try" of={TryIt} props={{ example: DEMO_EXAMPLE, baseUrl }} />
      <VerdictWords />
      <Prices />
      <CallIt baseUrl={baseUrl} />
      <Honest />
    </>
  );
}
