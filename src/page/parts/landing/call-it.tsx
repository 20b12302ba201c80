/** The lines that a caller starts from. */
export function CallIt({ baseUrl }: { readonly baseUrl: string }) {
  const trade = `${baseUrl}/api/preflight_trade`;
  return (
    <section aria-labelledby="call-title">
      <h2 id="call-title">Call it from your program</h2>
      <p>An example of the answer, free and without a limit:</p>
      <pre class="line">{`curl '${trade}?slug=sandbox-caution&sandbox=1'`}</pre>
      <p>What a live answer would cost, as terms that a wallet can sign, free as well:</p>
      <pre class="line">{`curl -i '${trade}?slug=MARKET-SLUG&side=BUY&usd=250&x402_probe=1'`}</pre>
      <p>A live answer, with a token of prepaid credits:</p>
      <pre class="line">{`curl -H "Authorization: Bearer $PREFLIGHT_TOKEN" '${trade}?slug=MARKET-SLUG&side=BUY&usd=250'`}</pre>
      <p>
        <a href="/docs">Documentation</a> · <a href="/llms.txt">For agents: llms.txt</a> ·{' '}
        <a href="/openapi.json">OpenAPI</a> · <a href="/pricing.md">Pricing</a> · MCP at{' '}
        <code class="foreign">{baseUrl}/mcp</code>
      </p>
    </section>
  );
}
