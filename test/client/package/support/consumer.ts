import { join } from 'node:path';
import { ROOT } from '#test/support/source-tree';

/**
 * Types that the package declares by itself, each with the module of src/shared/api/ from whose
 * schema it follows.
 */
const ANSWERS = {
  CreditsResponse: 'credits',
  PurchaseResponse: 'credits',
  RedeemResponse: 'credits',
  StatusReport: 'status',
  ServedTool: 'operations',
  OrderVerdict: 'order-verdict',
  OrderNumbers: 'order-numbers',
  Verdict: 'order-numbers',
  OrderPlan: 'order-plan',
  Remedy: 'order-plan',
  OrderExit: 'order-exit',
  OrderLimit: 'order-limit',
  Leaderboard: 'wallets/wallet-lists',
  RedList: 'wallets/wallet-lists',
  NoCoverage: 'wallets/wallet-profile',
  Queued: 'wallets/wallet-profile',
  WalletProfile: 'wallets/wallet-profile',
};

const OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  customConditions: ['@preflight/source'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: [],
};

/**
 * Returns a TypeScript project by file name: a program that uses the package, and one that compares
 * its types.
 */
export function consumerFiles(name: string): readonly (readonly [string, string])[] {
  return [
    ['tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, files: ['use.mts', 'same.mts'] })],
    ['use.mts', useText(name)],
    ['same.mts', sameText(name)],
  ];
}

function useText(name: string): string {
  return `import { type Answer, DEFAULT_LIMITS, fileState, type OrderExit, type OrderPlan, type OrderVerdict, Preflight, type Remedy } from '${name}';
import { main } from '${name}/cli';
import { verifyAnswer } from '${name}/engine';

const preflight = new Preflight({ baseUrl: 'https://preflight.example', limits: DEFAULT_LIMITS, ledger: fileState() });
const answer: Answer<OrderVerdict> = await preflight.verdict({ slug: 'a', outcome: 'Yes', usd: 250 });
const { holds }: { holds: boolean } = await verifyAnswer(answer.body, { jwks: { keys: [] } });
export const code: number = holds ? await main(['limits']) : 1;
const asked = { slug: 'a', usd: 250, plan: 1, exit: 1, limit_price: 0.4, post_only: 1 } as const;
const { body } = await preflight.verdict(asked);
export const plan: OrderPlan | null | undefined = body.plan;
export const exit: OrderExit | null | undefined = body.exit;
export const remedies: readonly Remedy[] | undefined = body.remedies;
// @ts-expect-error: not every value is an order.
export const wrong = preflight.verdict({ usd: '250' });
// @ts-expect-error: a verdict is one of three.
export const never: 'YES' = answer.body.verdict;
`;
}

function sameText(name: string): string {
  const lines = Object.entries(ANSWERS).flatMap(([type, module]) => [
    `import type { ${type} as ${type}Told } from './node_modules/${name}/dist/types/api.js';`,
    `import type { ${type} as ${type}Right } from '${join(ROOT, 'src/shared/api', `${module}.ts`)}';`,
    `export const ${type}: Same<${type}Told, ${type}Right> = true;`,
  ]);
  return `type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;\n${lines.join('\n')}\n`;
}
