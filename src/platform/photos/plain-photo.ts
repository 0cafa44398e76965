/** Detects a photo's format, checks its cost, and strips what the decoder doesn't need, before anything is decoded. */
import { t } from '../../contract/languages/text.ts';
import { isJpeg, type PlainJpeg, sanitizeJpeg } from './jpeg.ts';
import { PhotoError } from './limits.ts';
import { isPng, sanitizePng } from './png.ts';
import { isWebp, sanitizeWebp } from './webp.ts';

/** The same picture with only the needed parts. */
export type PlainPhoto = PlainJpeg;

/** @throws PhotoError for an unsupported format, and for a photo that is damaged or too expensive */
export function sanitizePhoto(bytes: Buffer): PlainPhoto {
  if (isJpeg(bytes)) return sanitizeJpeg(bytes);
  if (isPng(bytes)) return { bytes: sanitizePng(bytes), is_strict: false };
  if (isWebp(bytes)) return { bytes: sanitizeWebp(bytes), is_strict: false };
  if (isHeic(bytes)) throw new PhotoError(t`HEIC photos are not supported. Save the photo as JPEG.`);
  throw new PhotoError(t`The photo must be JPEG, PNG or WebP.`);
}

/** The container is used for other pictures too: its brands show whether it is HEVC, which the library doesn't support. */
function isHeic(bytes: Buffer): boolean {
  if (bytes.length < 12 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256));
  return /^(?:.{4})*?hei[cxms]/s.test(brands) || /^(?:.{4})*?hev[cx]/s.test(brands);
}
