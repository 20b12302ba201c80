import { PRODUCT_VERSION } from '#api/mcp-facts';

/** Put in when the package is bundled; where nothing is bundled there is none. */
declare const ENGINE_SOURCE_SHA256: string | undefined;

/**
 * What this package computes with, as evidence names it; null where the sources run as they are.
 * Stable.
 */
export const OWN_ENGINE: { readonly version: string; readonly sourceSha256: string } | null =
  typeof ENGINE_SOURCE_SHA256 === 'undefined' ? null : { version: PRODUCT_VERSION, sourceSha256: ENGINE_SOURCE_SHA256 };
