import { nativeCurve, type RecoverKey } from './native-curve.js';

const native = nativeCurve();

/** Native code takes two fifths of the time; both are libsecp256k1 and find the same. */
export const recoverKey: RecoverKey = native ?? (await import('./wasm-curve.js')).recoverKeyInWasm;

/** Which of the two this process has. */
export const CURVE = native === null ? 'wasm' : 'native';
