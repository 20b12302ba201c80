/** Value of the X-API-Version header (interface, "Versioning"). A breaking change bumps the date. */
export const API_VERSION = '2026-07-14';
