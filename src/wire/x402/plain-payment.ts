import { parseWallet } from '#domain/ids';
import { BASE_NETWORK, type SignedPayment } from '#domain/payment/payment';
import { SCHEME } from './x402.js';
import { HEX_BYTES, NAME, NONCE, SIGNATURE_TEXT_MAX } from './x402-authorization.js';

type Json = Readonly<Record<string, unknown>>;

const EIP712_FIELDS = 6;
/** One digit less than 2^256 has. */
const UINT = /^[0-9]{1,77}$/;

/**
 * Returns a v2 payment in its usual form, as the schemas read it; null if it is in any other, or not
 * right. That is for the schemas, which take several times as long and say what is wrong.
 */
export function readPlainPayment(raw: unknown): SignedPayment | null {
  if (!isJson(raw) || raw.x402Version !== 2) return null;
  const { accepted, payload, resource, extensions } = raw;
  if (!isJson(accepted) || !isJson(payload) || !isPlainResource(resource) || !isPlainTerms(accepted)) return null;
  const exact = plainExact(payload);
  if (exact === null || accepted.amount !== exact.authorization.value) return null;
  if (typeof accepted.payTo !== 'string' || typeof accepted.asset !== 'string') return null;
  const asset = parseWallet(accepted.asset);
  if (asset === null || parseWallet(accepted.payTo) !== exact.authorization.to) return null;
  const names = plainNames(extensions);
  if (names === null) return null;
  const resourceUrl = resource === undefined ? null : (resource.url as string);
  return { version: 2, asset, ...exact, ...names, resourceUrl };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';

function isPlainResource(resource: unknown): resource is Json | undefined {
  if (resource === undefined) return true;
  if (!isJson(resource) || typeof resource.url !== 'string' || resource.url === '') return false;
  const { description, mimeType, serviceName, tags, iconUrl } = resource;
  const isShort = serviceName === undefined && tags === undefined && iconUrl === undefined;
  return isShort && isTextOrAbsent(description) && isTextOrAbsent(mimeType);
}

function isPlainTerms({ scheme, network, maxTimeoutSeconds, extra }: Json): boolean {
  if (scheme !== SCHEME || network !== BASE_NETWORK) return false;
  if (typeof maxTimeoutSeconds !== 'number' || !(maxTimeoutSeconds > 0)) return false;
  if (extra === undefined) return true;
  return isJson(extra) && extra.assetTransferMethod === undefined && extra.paymentFlow === undefined;
}

/** A payload has these members and no others. */
function plainExact(payload: Json): Pick<SignedPayment, 'signature' | 'authorization'> | null {
  const { signature, authorization } = payload;
  if (Object.keys(payload).length !== 2 || !isJson(authorization)) return null;
  if (typeof signature !== 'string' || signature.length > SIGNATURE_TEXT_MAX || !HEX_BYTES.test(signature)) return null;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  if (Object.keys(authorization).length !== EIP712_FIELDS) return null;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof nonce !== 'string' || !NONCE.test(nonce))
    return null;
  const [payer, payee] = [parseWallet(from), parseWallet(to)];
  if (payer === null || payee === null || !isUint(value) || !isUint(validAfter) || !isUint(validBefore)) return null;
  const signed = { from: payer, to: payee, value, validAfter, validBefore, nonce: nonce.toLowerCase() };
  return { signature, authorization: signed };
}

function isUint(value: unknown): value is string {
  return typeof value === 'string' && UINT.test(value);
}

/** What the client names its payment by, and what it sends back of our terms. */
function plainNames(extensions: unknown): Pick<SignedPayment, 'paymentIdentifier' | 'purchaseSecret'> | null {
  if (extensions === undefined) return { paymentIdentifier: null };
  if (!isJson(extensions)) return null;
  const id = nameIn(extensions['payment-identifier'], 'id');
  const secret = nameIn(extensions['purchase-secret'], 'value');
  if (id === null || secret === null) return null;
  return { paymentIdentifier: id ?? null, ...(secret === undefined ? {} : { purchaseSecret: secret }) };
}

/** undefined: the extension is not there; null: it is in another form. */
function nameIn(extension: unknown, member: string): string | undefined | null {
  if (extension === undefined) return undefined;
  if (!isJson(extension) || !isJson(extension.info)) return null;
  const name = extension.info[member];
  if (name === undefined && member === 'id') return undefined;
  return typeof name === 'string' && NAME.test(name) ? name : null;
}
