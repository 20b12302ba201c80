/**
 * What a tab keeps until it is closed. Storage may be forbidden: then nothing is kept, and nothing
 * is paid.
 */
export function tabStorage(): Pick<Storage, 'getItem'> {
  try {
    return sessionStorage;
  } catch {
    return { getItem: () => null };
  }
}
