/** An uploaded photo: the bytes of a form's part, or base64 in JSON. */

import { t } from '../../contract/languages/text.ts';
import { payloadTooLarge, validationError } from '../../contract/problem.ts';
import { decodeBase64, InvalidBase64 } from '../files/inspect/base64.ts';
import { megabytes } from '../values/megabytes.ts';
import { maxPhotoBytes } from './photo.ts';

export interface SentPhoto {
  bytes: Buffer;
  field: 'file' | 'content_base64';
}

/** @throws 400 `invalid_format` for invalid base64, 413 */
export function photoBytes(sent: { file: Buffer } | { content_base64: Buffer | string }): SentPhoto {
  if ('file' in sent) return { bytes: sent.file, field: 'file' };
  const field = 'content_base64';
  if (typeof sent.content_base64 !== 'string') return { bytes: sent.content_base64, field };
  try {
    const bytes = Buffer.concat([...decodeBase64(sent.content_base64)]);
    if (bytes.length > maxPhotoBytes)
      throw payloadTooLarge(t`The photo is larger than ${megabytes(maxPhotoBytes)} MB.`);
    return { bytes, field };
  } catch (error) {
    if (!(error instanceof InvalidBase64)) throw error;
    throw validationError({ [field]: [{ code: 'invalid_format', message: t`Must be valid base64.` }] });
  }
}
