import { expect } from 'chai';
import { isBeforeSending } from '#adapters/facilitator/call';

const NOT_SENT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no answer of the resolver',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ERR_TLS_CERT_ALTNAME_INVALID: 'a certificate of another name',
  CERT_HAS_EXPIRED: 'an expired certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'a certificate signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'a certificate without its chain',
  ERR_SSL_WRONG_VERSION_NUMBER: 'a server that does not speak TLS',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'no version of TLS in common',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'no handshake, as OpenSSL 3.0 names it (Node 20)',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'no handshake, as OpenSSL 3.5 names it (Node 22 and 24)',
};

const PERHAPS_SENT: Readonly<Record<string, string>> = {
  ECONNRESET: 'a connection that was cut',
  EPIPE: 'a connection that was closed while it was written to',
  UND_ERR_SOCKET: 'a connection that ended without an answer',
  UND_ERR_BODY_TIMEOUT: 'a body that did not end',
  // TLS 1.3 says so after the handshake, when the request is on its way.
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'a server that wanted a certificate of the client',
  ECONNREFUSED_LATER: 'a code that is not known',
  'no code': 'an error of fetch itself',
};

describe('a request that failed', () => {
  for (const [code, what] of Object.entries(NOT_SENT)) {
    it(`was not sent after ${code}: ${what}`, () => expect(isBeforeSending(code)).to.equal(true));
  }
  for (const [code, what] of Object.entries(PERHAPS_SENT)) {
    it(`may have been sent after ${code}: ${what}`, () => expect(isBeforeSending(code)).to.equal(false));
  }
});
