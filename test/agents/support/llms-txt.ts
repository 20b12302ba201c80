import { type PublishedTerms, readPublishedTerms } from '#client/terms/published-terms';

/** What an agent learns from the text of /llms.txt alone. */
export interface LlmsFacts {
  readonly baseUrl: string;
  /** What payments are checked against. */
  readonly published: PublishedTerms;
  /** The list of endpoints. */
  readonly endpoints: readonly { readonly method: string; readonly path: string; readonly what: string }[];
  readonly parameters: readonly { readonly name: string; readonly tool: string; readonly meaning: string }[];
  /** Rows of the table of verdicts: what of, and what to do. */
  readonly verdicts: readonly { readonly verdict: string; readonly of: string; readonly what: string }[];
  /** The list of rehearsals: query, tool, and the answer in words. */
  readonly rehearsals: readonly { readonly query: string; readonly tool: string; readonly answer: string }[];
  /**
   * What an answer is called that has to be asked for again, its status and the header with the
   * seconds until then.
   */
  readonly queued: { readonly status: number; readonly verdict: string; readonly header: string };
  /** The header that marks a repeat. */
  readonly replayHeader: string;
  /** The most that the named exception of the limit per call may cost, in USD. */
  readonly packUsdMax: string;
  /** Codes of errors with a line each, by which `doc` finds them. */
  readonly anchors: readonly string[];
  /** Rows of the table of prices, by operation. */
  readonly prices: ReadonlyMap<string, { readonly usdc: string; readonly credits: string }>;
  readonly network: `${string}:${string}`;
  readonly asset: string;
  readonly payTo: string;
  readonly usdPerCallMax: string;
  /** Query that makes a call free: an example, or the terms. */
  readonly sandboxQuery: string;
  readonly probeQuery: string;
  readonly mcp: { readonly url: string; readonly payment: string; readonly receipt: string };
  /** Members of the body of a redeemed code. */
  readonly redeemMembers: readonly string[];
  /** Addresses of the linked documents, by name. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * Reads /llms.txt as an agent would: its tables by their heads, its lists by their words. Throws
 * where something is not told.
 */
export function readLlmsTxt(text: string): LlmsFacts {
  const received = (pattern: RegExp) => {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`/llms.txt does not tell ${pattern}`);
    return found;
  };
  const published = readPublishedTerms(text);
  if (typeof published === 'string') throw new Error(published);
  return {
    published,
    baseUrl: received(/^Base address: `([^`]+)`/m),
    endpoints: [...text.matchAll(/^- `([A-Z]+) (\/\S*)`: (.+)$/gm)].map(([, method = '', path = '', what = '']) => ({
      method,
      path,
      what,
    })),
    parameters: [...text.matchAll(/^\| (Parameter of `(\w+)`) \|/gm)].flatMap(([, head = '', tool = '']) =>
      rowsUnder(text, head).map(([name = '', meaning = '']) => ({ name, tool, meaning })),
    ),
    verdicts: rowsUnder(text, 'Verdict').map(([verdict = '', of = '', what = '']) => ({ verdict, of, what })),
    rehearsals: [...text.matchAll(/^- (\w+) `(\w+=\S+)`: (.+)$/gm)].map(([, tool = '', query = '', answer = '']) => ({
      query,
      tool,
      answer,
    })),
    queued: {
      status: Number(received(/without a profile is answered with status (\d+)/)),
      verdict: received(/with status \d+: `verdict` (\w+)/),
      header: received(/header `([\w-]+)` in seconds/),
    },
    replayHeader: received(/the same bytes, with `([\w-]+): true`/),
    packUsdMax: received(/^- The one exception is the credit pack: `POST \S+` costs ([\d.]+) USD/m),
    anchors: [...text.matchAll(/^- [\d or]+ `(\w+)`: \S/gm)].map(([, code]) => code!),
    prices: new Map(
      rowsUnder(text, 'Operation').map(([name = '', usdc = '', credits = '']) => [name, { usdc, credits }]),
    ),
    network: received(/^- Network: Base, `([^`]+)`/m) as LlmsFacts['network'],
    asset: received(/^- Asset: USDC, `([^`]+)`/m),
    payTo: received(/^- Payee \(payTo\): `([^`]+)`/m),
    usdPerCallMax: received(/^- Never pay more than ([\d.]+) USD per call/m),
    sandboxQuery: received(/`([^`]+)` returns a free example/),
    probeQuery: received(/`([^`]+)` the payment terms/),
    mcp: {
      url: received(/^- Server: `([^`]+)`/m),
      payment: received(/repeat the call with the payment in `_meta\["([^"]+)"\]`/),
      receipt: received(/the receipt is in `_meta\["([^"]+)"\]`/),
    },
    redeemMembers: [...received(/with the JSON body `\{([^}]+)\}`/).matchAll(/"(\w+)"/g)].map(([, name]) => name!),
    links: new Map([...text.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, name, url]) => [name!, url!])),
  };
}

/** Rows of the Markdown table whose first column has this head; cells without code marks. */
function rowsUnder(text: string, head: string): string[][] {
  const lines = text.slice(text.indexOf(`| ${head} |`)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('`', '')),
  );
}
