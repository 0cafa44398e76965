/** Content codings of request bodies (RFC 9110, section 8.4). */
import type { IncomingHttpHeaders } from 'node:http';

/** The supported codings, for `Accept-Encoding` of a 415 (RFC 9110, section 12.5.3). */
export const acceptedCodings = 'gzip, deflate, br, zstd';

/** Rewrites in place: body-parser doesn't know `x-gzip`, an alias of gzip (section 8.4.1.3). */
export function normalizeCoding(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding !== undefined) headers['content-encoding'] = coding === 'x-gzip' ? 'gzip' : coding;
}

export function isDamaged(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI_)/.test(code);
}
