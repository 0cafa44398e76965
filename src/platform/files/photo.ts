/** Makes a profile picture from an uploaded photo: upright, square, without metadata such as time and place. */
import { say, type Text } from '../../contract/languages/text.ts';
import { type Problem, payloadTooLarge, serviceUnavailable, validationError } from '../../contract/problem.ts';
import { createGate } from './gate.ts';
import { typeByContent } from './type-by-content.ts';

export const max_photo_bytes = 5 * 1024 * 1024;

/** A small file can unpack to a picture that fills the memory. Cameras make up to 50 million pixels. */
const most_pixels = 50_000_000;
const accepted = ['image/jpeg', 'image/png', 'image/webp'];

/** Pictures that are worked on at once, and how many may wait for that. */
const gate = createGate(2, 50);

/**
 * @param input at most `max_photo_bytes` of jpeg, png or webp
 * @param field of the request that it was sent in
 * @returns 512×512 webp, upright, without metadata
 * @throws 400 with an error of this field; 413 `payload_too_large`; 503 when too many wait
 */
export async function processPhoto(input: Buffer, field = 'file'): Promise<Buffer> {
  if (input.length > max_photo_bytes) throw payloadTooLarge(say`The photo is larger than ${max_photo_bytes} bytes.`);
  const type = await typeByContent(input);
  if (!type || !accepted.includes(type)) throw refused(field, say`The photo must be JPEG, PNG or WebP.`);
  const leave = await gate.enter();
  if (!leave) throw serviceUnavailable(new Error('too many photos wait'));
  try {
    const { square } = await import('./square.ts'); // with the library of pictures, by the first photo
    return await square(input, most_pixels);
  } catch (error) {
    throw refused(field, reason(error), error);
  } finally {
    leave();
  }
}

function reason(error: unknown): Text {
  return error instanceof Error && /pixel limit/.test(error.message)
    ? say`The photo has more than ${most_pixels / 1_000_000} million pixels.`
    : say`The photo is damaged and can not be read.`;
}

function refused(field: string, message: Text, cause?: unknown): Problem {
  const problem = validationError({ [field]: [{ code: 'invalid_format', message }] });
  problem.cause = cause;
  return problem;
}
