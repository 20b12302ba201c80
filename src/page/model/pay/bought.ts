import { TOOLS, type Tool } from '#api/prices';
import type { Answer, CallOptions, OrderInput } from '#client/answers';
import type { Preflight } from '#client/preflight';
import type { OutgoingRequest } from '#client/state/purchase';

/** What is bought: a tool with its parameters, as they stand in a query. */
export interface Wanted {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, string>>;
}

/** Asks for what is wanted, in the lane of the client. */
export function callTool({ tool, args }: Wanted, client: Preflight, options: CallOptions): Promise<Answer<unknown>> {
  switch (tool) {
    case 'preflight_trade':
      // The numbers of an order are written as they were given.
      return client.verdict(args as unknown as OrderInput, options);
    case 'preflight_copy':
      return client.copy(args.wallet ?? '', { ...options, evidence: args.evidence === '1' });
    case 'leaderboard':
      return client.leaderboard(options);
    case 'red_list':
      return client.redList(options);
  }
}

/** Returns what a request asks for; null if it is no call of a tool. */
export function wantedBy({ method, url }: OutgoingRequest): Wanted | null {
  if (method !== 'GET' || !URL.canParse(url)) return null;
  const { pathname, searchParams } = new URL(url);
  const tool = TOOLS.find((one) => pathname.endsWith(`/api/${one}`));
  return tool === undefined ? null : { tool, args: Object.fromEntries(searchParams) };
}

/** Whether two calls are the same: with its evidence or without it is one answer. */
export function sameWanted(a: Wanted, b: Wanted): boolean {
  const text = (wanted: Wanted) => {
    const { tool, args } = withoutEvidence(wanted);
    return JSON.stringify([tool, Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  };
  return text(a) === text(b);
}

/** Returns the same call for the answer alone. */
export function withoutEvidence({ tool, args }: Wanted): Wanted {
  const { evidence: _, ...rest } = args;
  return { tool, args: rest };
}

/** Where a call is made in a browser. */
export function pageOf({ tool, args }: Wanted): string {
  if (tool === 'preflight_trade') return '/';
  return tool === 'preflight_copy' ? `/wallet?address=${encodeURIComponent(args.wallet ?? '')}` : '/wallets';
}
