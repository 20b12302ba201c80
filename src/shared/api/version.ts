/**
 * Value of the X-API-Version header (docs/interface.md, "Versioning"). A breaking change bumps the
 * date.
 */
export const API_VERSION = '2026-07-14';

/**
 * Version of the interface that the machine descriptions carry (docs/interface.md, "Versioning").
 */
export const INTERFACE_VERSION = '1.0.0';
