/** A part of the proof that can be run by its name. */
export interface Part {
  readonly name: string;
  readonly what: string;
  /** Compiled test files. */
  readonly files: readonly string[];
  /** About, on two idle cores; what was measured on this machine takes its place. */
  readonly minutes: number;
}

const RATING = [
  'clustered-mean',
  'decision-table',
  'equal-fills',
  'golden',
  'market-category',
  'naive-rules',
  'rate-sums',
  'rating-lists',
  'rating-windows',
  'seen-window',
  'shown-numbers',
]
  .concat(['strength/strength', 'sum-wallet', 'sum-wallet.properties', 'synthetic-tape', 'updown'])
  .map((name) => `shared/domain/rating/${name}.test.js`);
const TAPE = [
  'compaction/every-step',
  'compaction/recent',
  'csv',
  'imports/crash',
  'imports/replace',
  'history/formats',
  'history/import',
  'kill',
  'lazy-tape',
  'rating/outcomes',
  'rating/rating',
  'tape',
  'verify',
].map((name) => `server/adapters/tape/${name}.test.js`);

/** In the order in which they run: what takes minutes first, what takes half of the hour last. */
export const PARTS: readonly Part[] = [
  part('ladder', 'the ladder of a book against a plain one', 2, ['shared/domain/book/ladder.test.js']),
  part('verdicts', 'properties of order verdicts, the machine against its compiled form', 10, [
    'judge/assess.test.js',
    'judge/exit-members.test.js',
    'shared/domain/plan/break-even.test.js',
    'judge/limit-members.test.js',
    'judge/plan-members.test.js',
    'judge/remedies.test.js',
    'machines/verdict.machine.test.js',
  ]),
  part('numbers', 'the numbers of a verdict on a million books against integers of any size', 2, [
    'shared/domain/order/exact.test.js',
    'shared/domain/money.test.js',
  ]),
  part('samples', 'what the suite draws cases of, all of them', 12, [
    'client/purchase/purchases.test.js',
    'page/browser/pages.test.js',
    'payments/matrix/matrix.test.js',
    'payments/processes/processes.test.js',
    'payments/replicas/replicas.test.js',
    'server/services/tape/backfill.test.js',
    'server/services/wallets/unreadable.test.js',
  ]),
  part('evidence', 'answers computed again from their evidence', 2, [
    'client/evidence/evidence.test.js',
    'client/evidence/wallet-evidence.test.js',
  ]),
  part('agents', 'what agents read, held against rules: documents, tools, each kind of answer, a path of calls', 1, [
    'agents/answers.test.js',
    'agents/path-from-llms-txt.test.js',
    'agents/sandbox-answers.test.js',
    'agents/tool-definitions.test.js',
    'server/discovery/drift.test.js',
    'server/discovery/skill.test.js',
  ]),
  part('evaluate', 'live answers judged again on their books, and a million bodies of any form, also sent', 12, [
    'judge/evaluate.test.js',
    'server/evaluate-any-body.test.js',
    'shared/api/evaluate/read-book.test.js',
  ]),
  part('elsewhere', 'answers that one version of Node made and another verifies (OTHER_NODES)', 1, [
    'tools/prove/elsewhere.prove.js',
  ]),
  part('spending', 'one budget, many processes and kill -9', 18, ['client/node/file-ledger.test.js']),
  part('guard-matrix', 'guarded processes that die at each step of an order, and race for the last of a cap', 20, [
    'client/guard/matrix/deaths.test.js',
  ]),
  part('guard', 'ten thousand orders by each official client of the venue, guarded and bare', 25, [
    'client/guard/many-orders.test.js',
    'local/venue/orders/order-rules.test.js',
  ]),
  part('purchases', 'a buyer that dies at every step, with a seller that fails or dies', 16, [
    'tools/prove/purchases.prove.js',
  ]),
  part(
    'forms',
    'what comes from outside, in any form: payments, frames, numbers, rows, drifts, addresses, names, MCP',
    12,
    [
      'shared/api/written-answer.test.js',
      'shared/wire/x402/x402-payment.test.js',
      'shared/wire/polymarket/book-bytes.test.js',
      'shared/wire/polymarket/clob-books.test.js',
      'shared/wire/polymarket/market-channel.test.js',
      'shared/wire/polymarket/scan-price-change.test.js',
      'shared/domain/decimal.test.js',
      'shared/domain/refusals/refusals.test.js',
      'client/guard/report/reconcile.test.js',
      'server/adapters/lmdb/msgpack-shape.test.js',
      'shared/domain/order/venue-url.test.js',
      'shared/domain/order/pick-outcome.test.js',
      'server/mcp/any-bytes.test.js',
      'server/services/orders/drifts.test.js',
      'shared/wire/polymarket/row-drifts.test.js',
    ],
  ),
  part('queue', 'the queue of wallets against a plain one', 2, ['server/services/wallets/queue.test.js']),
  part('credits', 'credit lots against a model that counts single credits', 2, [
    'shared/domain/credits/credits.test.js',
    'shared/domain/credits/unanswered.test.js',
    'server/services/credits/open-numbers.test.js',
  ]),
  part('ledger', 'the ledger on a real store against a plain model', 8, [
    'server/services/credits/ledger-model.test.js',
    'server/adapters/lmdb/money/store.test.js',
  ]),
  part('pages', 'every page in a browser, in both themes and at both widths, and payments from a wallet in it', 5, [
    'tools/prove/pages.prove.js',
  ]),
  part('lighthouse', 'what Lighthouse says of the pages', 2, ['tools/prove/lighthouse.prove.js']),
  part('recordings', 'two recordings of all doors, which are equal, and the files that an order passes', 1, [
    'tools/prove/recordings.prove.js',
  ]),
  part('clients', 'programs of others from npm and Debian, as they are; writes docs/clients.md', 2, [
    'tools/prove/clients.prove.js',
  ]),
  part('kills', 'kill -9 in the middle of debits and redemptions', 3, [
    'server/services/credits/kill.test.js',
    'server/services/credits/promo-kill.test.js',
  ]),
  part('power', 'images of the store that power cuts leave', 9, ['server/adapters/lmdb/power.test.js']),
  part('ratings', 'properties of the rating', 4, RATING),
  part('tape', 'the tape in SQL against pure functions, and kill -9 while it is written', 15, TAPE),
  part('faults', 'ten thousand wallets rated while the venue has random faults', 45, [
    'server/services/wallets/faults-fuzz.test.js',
  ]),
  part('one-word', 'lists and single answers of one server, on tapes with gaps', 3, [
    'server/services/wallets/one-word.test.js',
  ]),
  part('past', 'the past of the local venue, on more days', 2, ['local/venue/history/venue-history.test.js']),
  part('days', 'a thousand days in virtual time: clocks that are set, silent upstreams, deaths (DAYS_SEED)', 8, [
    'days/days.test.js',
  ]),
  part('backtest', 'planted worlds found again by the backtest, in both forms of a past', 6, [
    'server/services/ratings/backtest/backtest.test.js',
  ]),
  part('follow-up', 'what copying boards of planted worlds came to, and its intervals', 10, [
    'server/services/ratings/follow-up.test.js',
  ]),
  part('copies', 'a thousand payments in fifty copies each', 6, ['payments/copies.test.js']),
  part('operate', 'docs/operate.md, followed on a machine with only Node, and its incidents played', 9, [
    'tools/prove/operate/walk.prove.js',
  ]),
  part('silence', 'paid calls while an upstream is silent or fails; writes a table of tools/prove/measured.md', 3, [
    'tools/prove/silence.prove.js',
  ]),
  part('disk', 'a disk that hangs, is full, fails or loses the store; writes a table of tools/prove/measured.md', 2, [
    'tools/prove/disk.prove.js',
  ]),
  part('strangers', '500 connections without money beside 20 honest callers', 3, ['tools/prove/strangers.prove.js']),
  part('dashboard', 'the local profile under load, seen through its dashboard, also by Prometheus', 3, [
    'tools/prove/dashboard.prove.js',
  ]),
  part('soak', 'half an hour of mixed calls: memory and open files stay (SOAK_MINUTES)', 31, [
    'tools/prove/soak.prove.js',
  ]),
  part('demo-streams', '500 streams of the demo lane beside the verdict lane, and readers that never read', 2, [
    'tools/prove/demo-streams.prove.js',
    'server/http/streams/demo-streams.test.js',
  ]),
  part('control', 'the same cases with the stock middleware', 4, ['tools/prove/control.prove.js']),
  part('later-passages', 'a death when a point is passed for the second or third time', 2, [
    'tools/prove/later-passages.prove.js',
  ]),
  part('random-kills', 'deaths at any instant', 3, ['tools/prove/random-kills.prove.js']),
  part('double-deaths', 'a second death during the recovery, at every point', 5, [
    'tools/prove/double-deaths.prove.js',
  ]),
  part('history', 'three replicas on one PostgreSQL while all of it dies (HISTORY_MINUTES)', 12, [
    'tools/prove/history.prove.js',
  ]),
  part('processes', 'two services on one data directory', 90, ['tools/prove/processes.prove.js']),
  part('stops', '64 clients with kept connections while the service is stopped', 1, ['tools/prove/stops.prove.js']),
  part('rolling-restart', 'three replicas on PostgreSQL, restarted one after the other under load', 3, [
    'tools/prove/rolling-restart.prove.js',
  ]),
  part('replicas', 'two replicas on one database: killed, stopped, cut off', 90, ['tools/prove/replicas.prove.js']),
  part('matrix', 'every crash point with every fault, and deaths beside payments', 21, [
    'tools/prove/matrix.prove.js',
    'payments/matrix/other-deaths.test.js',
  ]),
];

/**
 * What takes under 40 minutes together: what the suite does not run at any size, but for the parts
 * that take longer.
 */
export const SHORT: readonly Part[] = [
  'pages',
  'lighthouse',
  'operate',
  'strangers',
  'dashboard',
  'demo-streams',
  'control',
  'clients',
  'recordings',
  'later-passages',
  'random-kills',
  'rolling-restart',
].map((name) => PARTS.find((part) => part.name === name)!);

function part(name: string, what: string, minutes: number, files: readonly string[]): Part {
  return {
    name,
    what,
    minutes,
    files: files.map((file) => `dist/${file.startsWith('tools/') ? file : `test/${file}`}`),
  };
}
