/** A photo as it was sent: the bytes of a form's part, or base64 in JSON. */
import { payloadTooLarge, validationError } from '../../contract/problem.ts';
import { decodeBase64, InvalidBase64 } from './base64.ts';
import { max_photo_bytes } from './photo.ts';

/** @throws 400 `invalid_format` for what is not base64, 413 */
export function photoBytes(sent: Buffer | string): Buffer {
  if (typeof sent !== 'string') return sent;
  try {
    const bytes = Buffer.concat([...decodeBase64(sent)]);
    if (bytes.length > max_photo_bytes) throw payloadTooLarge('The photo', max_photo_bytes);
    return bytes;
  } catch (error) {
    if (!(error instanceof InvalidBase64)) throw error;
    throw validationError({ photo: [{ code: 'invalid_format', message: 'Must be valid base64.' }] });
  }
}
