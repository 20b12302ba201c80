import type { TabStorage } from '../../model/pay/open-purchases.js';

/**
 * What a tab keeps until it is closed. Storage may be forbidden: then nothing is kept, and nothing
 * is paid.
 */
export function tabStorage(): TabStorage {
  try {
    return sessionStorage;
  } catch {
    return FORBIDDEN;
  }
}

const FORBIDDEN: TabStorage = {
  getItem: () => null,
  setItem() {
    throw new Error('this browser lets the page keep nothing: allow cookies and site data for it, and load it again');
  },
  removeItem() {},
};
