/** The contract as it is published: the bundle, with links that work without the rest of the documentation. */
import { readFileSync } from 'node:fs';
import { dump } from 'js-yaml';
import { contract } from '../../contract/contract.ts';
import { type Content, once } from '../http/published.ts';

/** A name that holds the version means this text for good; a day, because a release may still be under way. */
const versioned_caching = 'public, max-age=86400';
const newest_caching = 'public, no-cache';

/** Names below the root, with what makes each. */
export function contractDocuments(base_url: string): Record<string, () => Content> {
  const { version } = contract.info;
  const json = once(() => `${JSON.stringify(published(contract, base_url), null, 2)}\n`);
  const yaml = once(() => dump(published(contract, base_url), { noRefs: true, lineWidth: -1 }));
  const rendition = once(() => `${JSON.stringify(published(readRendition(), base_url), null, 2)}\n`);
  const as = (media_type: string, caching: string, make: () => string) => () => ({
    body: make(),
    media_type,
    headers: { 'Cache-Control': caching, 'X-Api-Version': version, ...readable_anywhere },
  });
  // RFC 9512 registers application/yaml. A JSON document is told as such: clients that want OpenAPI read `openapi` in it.
  return {
    'openapi.json': as('application/json; charset=utf-8', newest_caching, json),
    'openapi.yaml': as('application/yaml; charset=utf-8', newest_caching, yaml),
    'openapi-3.0.json': as('application/json; charset=utf-8', newest_caching, rendition),
    [`openapi-${version}.json`]: as('application/json; charset=utf-8', versioned_caching, json),
    [`openapi-${version}.yaml`]: as('application/yaml; charset=utf-8', versioned_caching, yaml),
  };
}

/** Editors and generators that live in a browser may read it from anywhere: it holds nothing that is not public. */
export const readable_anywhere = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, X-Api-Version',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The same in OpenAPI 3.0, for tools that read nothing newer; `make generate` writes it. */
function readRendition(): Document {
  return JSON.parse(readFileSync(new URL('../../../generated/openapi-3.0.json', import.meta.url), 'utf8'));
}

type Document = Pick<typeof contract, 'components'>;

/**
 * A contract with absolute addresses: a generator that reads a file knows nothing of where it came from.
 * @param base_url public address of the service, without a trailing slash
 */
function published(contract: Document, base_url: string): Record<string, unknown> {
  const { oauth2, ...others } = contract.components.securitySchemes as SecuritySchemes;
  const { authorizationCode } = oauth2.flows;
  const flow = {
    ...authorizationCode,
    authorizationUrl: base_url + authorizationCode.authorizationUrl,
    tokenUrl: base_url + authorizationCode.tokenUrl,
    refreshUrl: base_url + authorizationCode.refreshUrl,
  };
  const securitySchemes = { ...others, oauth2: { ...oauth2, flows: { authorizationCode: flow } } };
  return {
    ...contract,
    servers: [{ url: base_url, description: 'The service that this document was fetched from.' }],
    externalDocs: { url: `${base_url}/docs/guides`, description: 'Guides, and a page for each error code.' },
    components: { ...contract.components, securitySchemes },
  };
}

interface SecuritySchemes {
  oauth2: { flows: { authorizationCode: Record<'authorizationUrl' | 'tokenUrl' | 'refreshUrl', string> } };
}
