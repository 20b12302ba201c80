/** Name resolution, the connection, the certificate. */
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+)$/;

/**
 * OpenSSL words these names, and words them anew: what was SSLV3_ALERT_… is SSL/TLS_ALERT_… since
 * its version 3.2.
 */
const NO_HANDSHAKE =
  /^ERR_SSL_[A-Z0-9_/]*(WRONG_VERSION_NUMBER|HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/;

/**
 * Whether a failure of `fetch` with this code came before the first byte of the request was sent,
 * so that nobody can have read it. A code that is not known may have come later.
 */
export function isBeforeSending(code: string): boolean {
  return NO_CONNECTION.test(code) || NO_HANDSHAKE.test(code);
}
