/*
 * Versions of the files, which lie in a row of their own without a checksum, so that every program
 * can read it. Since these, rows have checksums. A file of the version before is read as it is, and
 * is of this one when a program that writes has opened it; rows get their checksums as they change.
 */

export const CREDITS_FILE_VERSION = 3;
export const RATINGS_FILE_VERSION = 2;
