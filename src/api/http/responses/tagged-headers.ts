/** `no-transform` asks proxies to keep bytes and tag unchanged. @param caching the other directives of `Cache-Control` */
export function taggedHeaders(etag: string, caching: string): { ETag: string; 'Cache-Control': string } {
  return { ETag: etag, 'Cache-Control': `${caching}, no-transform` };
}
