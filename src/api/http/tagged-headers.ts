/**
 * The headers of an answer with an entity tag: `no-transform` asks proxies to leave bytes and tag as they are.
 * @param caching the other directives of `Cache-Control`
 */
export function taggedHeaders(etag: string, caching: string): { ETag: string; 'Cache-Control': string } {
  return { ETag: etag, 'Cache-Control': `${caching}, no-transform` };
}
