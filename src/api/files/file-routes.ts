/**
 * `/files/{token}`: downloads by signed link (see `platform/files/links.ts`). Errors have the API's format; the rest follows what
 * browsers expect: ranges, revalidation, a file name.
 *
 * The files come from untrusted users. So no type is sniffed, only harmless types are displayed inline, and their content may not
 * run or load anything.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { type Request, type Response, Router } from 'express';
import { t } from '../../contract/languages/text.ts';
import { methodNotAllowed, notFound, Problem, serviceUnavailable } from '../../contract/problem.ts';
import { recordFetch } from '../../platform/audit/file-entries.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';
import type { Database } from '../../platform/db/client.ts';
import type { FilesContext } from '../../platform/files/context.ts';
import { inlineTypes } from '../../platform/files/inspect/types.ts';
import type { OpenedLink } from '../../platform/files/links.ts';
import { type ByteRange, partsOfKey } from '../../platform/files/store/storage.ts';
import { isReadable } from '../../product/exports/export-reader.ts';
import { exportProgress, pollIntervalS } from '../../product/exports/export-response.ts';
import { type ExportRow, exportOfKey } from '../../product/exports/find-export.ts';
import { originOfRequest } from '../http/audited.ts';
import type { RequestLog } from '../http/observe/request-log.ts';
import { isUnmodified } from '../http/responses/preconditions.ts';
import { commonHeaders, type Responder } from '../http/responses/respond.ts';
import { taggedHeaders } from '../http/responses/tagged-headers.ts';
import { closeWhenTooSlow } from './slow-clients.ts';

/** Lifetime of a presigned URL, which is used immediately. */
const maxRedirectS = 300;

interface FileRoutesOptions {
  db: Database;
  audit: AuditRecorder;
  responder: Responder;
  /** A client must read some data in each such window. */
  stallTimeoutMs: number;
}

export function fileRoutes(files: FilesContext, { db, audit, responder, stallTimeoutMs }: FileRoutesOptions): Router {
  const router = Router();
  router.use(async (req, res) => {
    const requestLog = res.locals.requestLog as RequestLog;
    closeWhenTooSlow(res, stallTimeoutMs);
    try {
      await serveFile({ ...files, audit }, db, req, res, requestLog);
    } catch (error) {
      if (isDisconnect(error)) return;
      for (const name of ownHeaders) if (!res.headersSent) res.removeHeader(name);
      const isPartial = res.headersSent;
      responder.fail(res, undefined, error);
      if (isPartial) res.destroy(); // the client must not take the part for the whole
    }
  });
  return router;
}

async function serveFile(
  { storage, links, audit }: FilesContext & { audit: AuditRecorder },
  db: Database,
  req: Request,
  res: Response,
  requestLog: RequestLog,
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
  // The raw segment: valid tokens need no percent-decoding.
  const link = links.open(req.path.slice(1));
  requestLog.company_id = link.company_id;
  const tenant = db.tenant(link.company_id);
  const isExport = partsOfKey(link.key)!.kind === 'exports';
  const row = isExport ? await exportOfKey(tenant, link.key) : undefined;
  if (isExport && !row) throw notFound();
  if (row && !(await isReadable(tenant, row))) throw exportExpired();
  const size = await storage.size(link.key);
  if (size === undefined) {
    if (!row?.due_at) throw notFound();
    sendProgressHeaders(res, row);
    return;
  }

  setHeaders(res, link);
  // Not `req.fresh`, which sends everything again on a reload.
  if (isUnmodified(req.headers['if-none-match'], String(res.getHeader('ETag')))) {
    res.status(304).end();
    return;
  }
  const isRedirected = storage.presign && req.method === 'GET';
  const range = isRedirected ? undefined : rangeOf(req, res, size);
  // Audit every GET, for bytes sent by the service or the storage: a range header proves nothing about what is read.
  if (req.method === 'GET')
    await recordFetch(audit, db.tenant(link.company_id), link.key, originOfRequest(req, requestLog));
  if (storage.presign && isRedirected) {
    res.redirect(302, await storage.presign(link.key, presignOptions(link)));
    return;
  }
  res.status(range ? 206 : 200);
  if (range) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  res.setHeader('Content-Length', range ? range.end - range.start + 1 : size);
  if (req.method === 'HEAD') res.end();
  else await send(await storage.read(link.key, range), res, range ? range.end - range.start + 1 : size);
}

/** The requester lost access to the data, and their links expire with it. */
function exportExpired(): Problem {
  return new Problem(410, 'file_expired', t`This export is no longer available. Export again.`);
}

/** The export is still running: its link exists before its file. */
function sendProgressHeaders(res: Response, row: ExportRow): void {
  res.setHeaders(new Map(Object.entries(commonHeaders)));
  res.setHeader('Retry-After', pollIntervalS);
  res.status(202).json({ status: row.status, progress: exportProgress(row) });
}

const ownHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'Content-Security-Policy',
  'ETag',
];

function setHeaders(res: Response, link: OpenedLink): void {
  const { media_type: mediaType, key } = link;
  // Objects are immutable, so the key identifies the bytes.
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`;
  res.setHeaders(new Map(Object.entries({ ...commonHeaders, ...taggedHeaders(etag, caching(link)) })));
  res.setHeader('Content-Type', mediaType);
  res.setHeader('Content-Disposition', disposition(link));
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  // Browsers don't display PDFs in a sandbox; their viewers run no scripts of the page.
  const sandbox = mediaType === 'application/pdf' && isInline(link) ? '' : '; sandbox';
  res.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'${sandbox}`,
  );
  // Apps that use the API embed photos from other origins.
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** Photos are shown repeatedly; documents and exports must not be cached. */
function caching({ key, expires_at: expiresAt }: OpenedLink): string {
  if (partsOfKey(key)?.kind !== 'photos') return 'no-store';
  return `private, max-age=${secondsUntil(expiresAt)}, immutable`;
}

function disposition(link: OpenedLink): string {
  return contentDisposition(link.filename, { type: isInline(link) ? 'inline' : 'attachment' });
}

function isInline({ disposition, media_type: mediaType }: OpenedLink): boolean {
  return disposition === 'inline' && inlineTypes.includes(mediaType);
}

function presignOptions(link: OpenedLink) {
  const expiresInS = Math.min(maxRedirectS, Math.max(1, secondsUntil(link.expires_at)));
  return { media_type: link.media_type, contentDisposition: disposition(link), expiresInS };
}

function secondsUntil(time: Date): number {
  return Math.max(0, Math.floor((time.getTime() - Date.now()) / 1_000));
}

/**
 * The requested range; undefined for the full content. `If-Range` is compared exactly: a tag that a proxy changed may stand for
 * compressed bytes, which our range wouldn't continue.
 * @throws 416 for a range beyond the end
 */
function rangeOf(req: Request, res: Response, size: number): ByteRange | undefined {
  if (req.method !== 'GET') return undefined;
  const condition = req.headers['if-range'];
  if (condition !== undefined && condition !== res.getHeader('ETag')) return undefined;
  const ranges = req.range(size, { combine: true });
  if (ranges === -1) {
    throw new Problem(
      416,
      'invalid_parameter',
      t`The range starts after the end of the file, which has ${size} bytes.`,
      {
        headers: { 'Content-Range': `bytes */${size}` },
      },
    );
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** @param bytes the announced length: with fewer the client would wait, with more it would misread the next response */
async function send(content: Readable, res: Response, bytes: number): Promise<void> {
  const error = new Error('the store sent a different number of bytes than announced');
  let sent = 0;
  content.on('data', (piece: Buffer) => {
    sent += piece.length;
    if (sent > bytes) content.destroy(error);
  });
  try {
    await pipeline(content, res, { end: false });
  } finally {
    content.destroy();
  }
  if (sent < bytes) throw serviceUnavailable(error); // before `end`, while the connection can still be closed
  res.end();
}

/** Clients disconnect midway, for example viewers that have read enough. */
function isDisconnect(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
