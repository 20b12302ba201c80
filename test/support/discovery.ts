import type { DiscoveryConfig, DiscoveryFile, PublishedKeys } from '#discovery/discovery-file';
import { discoveryFiles } from '#discovery/discovery-files';

const KEY = { kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
/** The example of RFC 8037. */
const CURRENT = { ...KEY, state: 'current', revokedAtMs: null } as const;

/** One key of evidence that never changes. */
export const ONE_KEY: PublishedKeys = { current: () => CURRENT, list: () => [CURRENT], version: () => '1' };

export const CONFIG: DiscoveryConfig = {
  baseUrl: 'https://preflight.example',
  payeeAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  usdcAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  supportEmail: 'support@preflight.example',
  evidenceKeys: ONE_KEY,
  clientIntegrity: `sha512-${'A'.repeat(86)}==`,
};

export const FILES: readonly DiscoveryFile[] = discoveryFiles(CONFIG);

/** Returns a document by its path. */
export function textOf(path: string): string {
  const file = FILES.find((one) => one.path === path);
  if (file === undefined) throw new Error(`no document at ${path}`);
  return file.body;
}

/** An operation of the OpenAPI document, as far as tests look at it. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly 'x-payment-info'?: { readonly price: { readonly amount: string }; readonly protocols: readonly object[] };
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Content;
}

export interface HeaderObject {
  readonly required?: boolean;
  readonly schema: { readonly type: string; readonly contentSchema?: object };
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: object;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, MediaType>>;
export interface MediaType {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly tags: readonly { readonly name: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
  };
}

export const OPENAPI = JSON.parse(textOf('/openapi.json')) as OpenApiDocument;

/** Every operation of the document, with its method and path. */
export const OPERATION_ROWS = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
