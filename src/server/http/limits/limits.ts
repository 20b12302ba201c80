/**
 * Every limit of the HTTP door, in one place. Over a limit there is a JSON answer where HTTP
 * permits one.
 */

/**
 * Request line and headers together; Node's own limit. A payment header that echoes all of our
 * terms takes 5 kB, and what else a client sends along is not ours to choose: cookies of its
 * domain, traces, headers of its proxies. Beyond: 400 and the connection is closed.
 */
export const HEADER_BYTES_MAX = 16_384;

/** A JSON body. The longest order or redeem request is under 2 kB. Beyond: 413. */
export const BODY_BYTES_MAX = 16_384;

/** A body with a book: POST /api/evaluate, and a message of MCP, whose tools take one. Beyond: 413. */
export const BOOK_BODY_BYTES_MAX = 65_536;

/** Evaluations at all doors, per address and window: they are free, and a book is some work. */
export const EVALUATE_LIMIT = { windowS: 60, points: 60, missPoints: 1 } as const;

/**
 * How long a client may take to send its headers, and a whole request. Beyond: 400 and the
 * connection is closed.
 */
export const HEADERS_WAIT_MS = 10_000;
export const REQUEST_WAIT_MS = 20_000;

/** How often the two waits are looked at. */
export const WAIT_CHECK_MS = 2_000;

/**
 * How long an idle connection is kept; longer than the minute that load balancers keep theirs, so
 * that they close first.
 */
export const KEEP_ALIVE_MS = 65_000;

/**
 * Open connections, and those of one address that is no trusted proxy. Beyond: the one that is idle
 * for longest is closed.
 */
export const CONNECTIONS_MAX = 10_000;
export const CONNECTIONS_PER_ADDRESS_MAX = 200;

/**
 * Requests that a client has sent ahead on one connection: they are begun one after the other.
 * Beyond: the connection is closed.
 */
export const SENT_AHEAD_MAX = 100;

/** Above this share of all connections an idle one is kept for less time. */
export const CROWDED_SHARE = 0.8;
export const CROWDED_KEEP_ALIVE_MS = 5_000;

/** How long an answer may wait for its client to read it. Beyond: the connection is closed. */
export const UNREAD_WAIT_MS = 30_000;

/**
 * After a raw error answer, and one to a request whose body is too long or has no end yet, how long
 * what the client still sends is read and thrown away before the connection is cut.
 */
export const LINGER_MS = 1_000;

/**
 * For how long a server that is to stop calls itself unwell before it takes no more connections:
 * balancers look every second or so.
 */
export const LEAVE_MS = 1_000;

/**
 * After that, for how long those that are connected are answered, with `Connection: close`: a
 * request may be on its way on any connection that is kept.
 */
export const DRAIN_MS = 1_000;

/**
 * How long a connection that has sent nothing is kept once the server is stopping: its request may
 * be on the way.
 */
export const SILENT_WAIT_MS = 250;

/** How long requests in flight may take once the server is stopping. */
export const STOP_WAIT_MS = 10_000;

/**
 * New wallets to compute, per address and window: each costs the venue's goodwill and some seconds
 * of work. A caller who copies hundreds of wallets gets them in an hour.
 */
export const QUEUE_LIMIT = { windowS: 3_600, points: 300, missPoints: 1 } as const;

/**
 * POST /api/redeem, per address and window: every request takes one point, and a code `missPoints`,
 * which come back unless it is unknown. So codes are guessed at most 20 times a minute, while a
 * crowd behind one address can still redeem.
 */
export const REDEEM_LIMIT = { windowS: 60, points: 2_000, missPoints: 100 } as const;

/**
 * POST /api/credits/token, per address and window: each recovers the key of a signature, and a
 * caller who has lost a token needs one.
 */
export const TOKEN_REQUEST_LIMIT = { windowS: 60, points: 30 } as const;

/** Addresses whose points are remembered; beyond, the one seen longest ago is forgotten. */
export const LIMITED_ADDRESSES_MAX = 10_000;

/**
 * Requests that hold a place at work: so many at once, and so many where turns of the event loop
 * have time for more.
 */
export const AT_WORK_AT_ONCE_MAX = 64;
export const AT_WORK_MAX = 1_024;

/** Requests at work with those that wait for the outside (a settlement takes seconds). */
export const IN_WORK_MAX = 4_000;

/**
 * While so many are at work: how long one may take to send its body. Beyond: its connection is
 * closed.
 */
export const BODY_WAIT_CROWDED_MS = 1_000;

/** Requests that begin at once in one turn of the event loop; the others begin in the next ones. */
export const BEGUN_PER_TURN = 16;

/**
 * For how long requests that wait begin in one turn of the event loop, or for as long as refusing
 * others took in it. A turn accepts one new connection: turns are short, so that a newcomer finds
 * the door.
 */
export const MORE_PER_TURN_MS = 3;

/**
 * A turn that took longer, refusing apart, is late by its own work: then no more are at work than
 * begin at once. What they do after their first wait is not seen when they begin.
 */
export const TURN_LATE_MS = 10;

/**
 * Requests that wait for a place. Beyond: 500 `overloaded`, to one of the caller who has most
 * waiting.
 */
export const WAITING_MAX = 1_000;

/**
 * Once it is known how many get their turn in a second, as many may wait as will have had it after
 * this time, but always so many.
 */
export const WAIT_EXPECTED_MS = 150;
export const WAITING_MIN = 16;

/**
 * A caller whose first request has waited so long gets 500 `overloaded` for further ones at once.
 */
export const TURN_WAIT_MS = 250;

/**
 * What has waited longer is not run any more: its client has given up, or will before the answer is
 * there.
 */
export const WAITED_MAX_MS = 5_000;

/**
 * A request at work for longer waits for the outside, and leaves its place to another; the second,
 * if the process is late.
 */
export const SLOT_HELD_MS = 100;
export const SLOT_HELD_LATE_MS = 1_000;

/**
 * How often waiting requests are looked at, and by how much that may be late in a process that is
 * not overloaded itself.
 */
export const TICK_MS = 50;
export const LATE_MS = 25;

/**
 * Connections that the system has accepted and the process has not; what it does not accept itself
 * is tried again by its client a second later. Linux takes no more than net.core.somaxconn, 4,096.
 */
export const BACKLOG_MAX = 4_096;

/** Addresses of which it is remembered whether they are trusted proxies. */
export const PROXIES_CACHED_MAX = 1_000;

/** How often a line in the log says that requests are refused. */
export const OVERLOAD_WARN_MS = 10_000;

/** Retry-After of a refused request. */
export const OVERLOAD_RETRY_AFTER_S = 1;

/**
 * Open streams of the demo lane in this process, and those of one customer. Beyond: 429; but when all
 * are open, one of whoever holds most ends for a newcomer.
 */
export const DEMO_STREAMS_MAX = 200;
export const DEMO_STREAMS_PER_CALLER_MAX = 4;

/** New streams of one customer, per window. */
export const DEMO_STREAM_LIMIT = { windowS: 60, points: 60 } as const;

/** Retry-After of a stream that is one too many: a page that is left gives its streams back. */
export const DEMO_RETRY_AFTER_S = 5;

/**
 * How long a stream may wait for its reader to take what was sent. Beyond: the connection is
 * closed.
 */
export const STREAM_UNREAD_WAIT_MS = 10_000;

/** How long a stream may wait so in all: a reader that takes just enough is slow, too. */
export const STREAM_LATE_MAX_MS = 30_000;

/** How long the end of a stream may take to leave. Beyond: the connection is closed. */
export const STREAM_END_WAIT_MS = 500;
