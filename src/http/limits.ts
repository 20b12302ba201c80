/**
 * Every limit of the HTTP door, in one place. Over a limit there is a JSON answer where HTTP
 * permits one.
 */

/**
 * Request line and headers together. A payment header is about 1 kB. Beyond: 400 and the connection
 * is closed.
 */
export const HEADER_BYTES_MAX = 8_192;

/** A JSON body. The longest order or redeem request is under 2 kB. Beyond: 413. */
export const BODY_BYTES_MAX = 16_384;

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

/** Open connections. Beyond: closed without an answer, since nobody has asked anything yet. */
export const CONNECTIONS_MAX = 10_000;

/**
 * After a raw error answer, how long what the client still sends is read and thrown away before the
 * connection is cut.
 */
export const LINGER_MS = 1_000;

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
 * POST /api/redeem, per address and window: every request takes one point, an unknown code takes
 * `missPoints`. So codes are guessed at most 20 times a minute, while a crowd behind one address
 * can still redeem.
 */
export const REDEEM_LIMIT = { windowS: 60, points: 2_000, missPoints: 100 } as const;

/** Addresses whose points are remembered; beyond, the one seen longest ago is forgotten. */
export const LIMITED_ADDRESSES_MAX = 10_000;
