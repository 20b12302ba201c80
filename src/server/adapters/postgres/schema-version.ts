/**
 * The version of the tables that this program works with: the number of the newest file in
 * migrations/.
 */
export const SCHEMA_VERSION = 6;
