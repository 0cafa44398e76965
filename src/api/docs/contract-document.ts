/** The published contract: the bundle, with links that work outside of the documentation. */
import { readFileSync } from 'node:fs';
import { dump } from 'js-yaml';
import { contract } from '../../contract/contract.ts';
import { type Content, once } from '../http/responses/published.ts';

/** A versioned name always returns the same text; cached for one day only, because a rollout may be in progress. */
const versionedCaching = 'public, max-age=86400';
const newestCaching = 'public, no-cache';

export function contractDocuments(baseUrl: string): Record<string, () => Content> {
  const { version } = contract.info;
  const json = once(() => `${JSON.stringify(withServiceUrls(contract, baseUrl), null, 2)}\n`);
  const yaml = once(() => dump(withServiceUrls(contract, baseUrl), { noRefs: true, lineWidth: -1 }));
  const rendition = once(() => `${JSON.stringify(withServiceUrls(readRendition(), baseUrl), null, 2)}\n`);
  const contentOf = (mediaType: string, caching: string, make: () => string) => () => ({
    body: make(),
    media_type: mediaType,
    headers: { 'Cache-Control': caching, 'X-Api-Version': version, ...publicCorsHeaders },
  });
  // RFC 9512 registers application/yaml. JSON uses the generic type; OpenAPI clients check the `openapi` field.
  return {
    'openapi.json': contentOf('application/json; charset=utf-8', newestCaching, json),
    'openapi.yaml': contentOf('application/yaml; charset=utf-8', newestCaching, yaml),
    'openapi-3.0.json': contentOf('application/json; charset=utf-8', newestCaching, rendition),
    [`openapi-${version}.json`]: contentOf('application/json; charset=utf-8', versionedCaching, json),
    [`openapi-${version}.yaml`]: contentOf('application/yaml; charset=utf-8', versionedCaching, yaml),
    [reportSchema]: () => ({
      body: hostedReportSchema(baseUrl),
      media_type: 'application/schema+json; charset=utf-8',
      headers: { 'Cache-Control': newestCaching, ...publicCorsHeaders },
    }),
  };
}

/** Schema of the contract differ's JSON reports, version 1. A breaking change gets a new URL. */
const reportSchema = 'schemas/contract-diff-report-1.json';

/** The schema's `$id` is the URL that serves it. */
function hostedReportSchema(baseUrl: string): string {
  const file = new URL('../../../packages/contract-diff/schema/report.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
  return `${JSON.stringify({ ...schema, $id: `${baseUrl}/${reportSchema}` }, null, 2)}\n`;
}

/** Readable from any origin, for editors and generators in a browser: everything in it is public. */
export const publicCorsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, X-Api-Version',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The OpenAPI 3.0 version, for tools without 3.1 support; `make generate` writes it. */
function readRendition(): Document {
  return JSON.parse(readFileSync(new URL('../../../generated/openapi-3.0.json', import.meta.url), 'utf8'));
}

type Document = Pick<typeof contract, 'components'>;

/**
 * The contract with absolute URLs, because a generator that reads a file doesn't know its origin.
 * @param baseUrl public address of the service, without a trailing slash
 */
function withServiceUrls(contract: Document, baseUrl: string): Record<string, unknown> {
  const { oauth2, ...others } = contract.components.securitySchemes as SecuritySchemes;
  const { authorizationCode } = oauth2.flows;
  const flow = {
    ...authorizationCode,
    authorizationUrl: baseUrl + authorizationCode.authorizationUrl,
    tokenUrl: baseUrl + authorizationCode.tokenUrl,
    refreshUrl: baseUrl + authorizationCode.refreshUrl,
  };
  const securitySchemes = { ...others, oauth2: { ...oauth2, flows: { authorizationCode: flow } } };
  return {
    ...contract,
    servers: [{ url: baseUrl, description: 'The service that published this document.' }],
    externalDocs: { url: `${baseUrl}/docs/guides`, description: 'Guides, and a page for each error code.' },
    components: { ...contract.components, securitySchemes },
  };
}

interface SecuritySchemes {
  oauth2: { flows: { authorizationCode: Record<'authorizationUrl' | 'tokenUrl' | 'refreshUrl', string> } };
}
