/** A photo as it was sent: the bytes of a form's part, or base64 in JSON. */
import { payloadTooLarge, validationError } from '../../contract/problem.ts';
import { max_photo_bytes } from './photo.ts';

/** @throws 400 `invalid_format` for what is not base64, 413 */
export function photoBytes(sent: Buffer | string): Buffer {
  if (typeof sent !== 'string') return sent;
  const bytes = Buffer.from(sent, 'base64');
  if (bytes.length > max_photo_bytes) throw payloadTooLarge('The photo', max_photo_bytes);
  // Decoding overlooks what does not belong there, so compare: padding may be left out.
  if (unpadded(bytes.toString('base64')) !== unpadded(sent)) {
    throw validationError({ photo: [{ code: 'invalid_format', message: 'Must be valid base64.' }] });
  }
  return bytes;
}

/** Without a pattern: on a text of megabytes one may run out of stack, or of time. */
function unpadded(text: string): string {
  if (text.endsWith('==')) return text.slice(0, -2);
  return text.endsWith('=') ? text.slice(0, -1) : text;
}
