/** How a body is compressed (RFC 9110, section 8.4). */
import type { IncomingHttpHeaders } from 'node:http';

/** What bodies may be compressed by, as `Accept-Encoding` of a refusal says it (RFC 9110, section 12.5.3). */
export const acceptedCodings = 'gzip, deflate, br, zstd';

/** In place: `x-gzip` is another name of gzip (section 8.4.1.3), which body-parser does not know. */
export function normalizeCoding(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding !== undefined) headers['content-encoding'] = coding === 'x-gzip' ? 'gzip' : coding;
}

/** Whether the body is something else than what it says it was compressed by, or ends in the middle: zlib's error codes. */
export function isDamaged(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI_)/.test(code);
}
