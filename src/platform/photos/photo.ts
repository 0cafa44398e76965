/** Converts an uploaded photo into a profile picture: upright, square, without metadata such as time and place. */

import { type Text, t } from '../../contract/languages/text.ts';
import {
  Overload,
  type Problem,
  payloadTooLarge,
  serviceUnavailable,
  validationError,
} from '../../contract/problem.ts';
import { megabytes } from '../values/megabytes.ts';
import { DecodingError, decoderMemoryMb } from './decoder-process.ts';
import { decodeS, type PhotoDecoders } from './decoders.ts';
import { damagedPhoto, PhotoError } from './limits.ts';
import { sanitizePhoto } from './plain-photo.ts';

export const maxPhotoBytes = 5 * 1024 * 1024;

interface PhotoRequest {
  company_id: string;
  field: string;
}

/**
 * @param photo at most `maxPhotoBytes` of JPEG, PNG, or WebP
 * @throws 400 with an error of this field; 413 `payload_too_large`; 503 when the queue is full, or on shutdown
 */
export async function processPhoto(
  decoders: PhotoDecoders,
  photo: Buffer,
  { company_id: companyId, field }: PhotoRequest,
): Promise<Buffer> {
  if (photo.length > maxPhotoBytes) throw payloadTooLarge(t`The photo is larger than ${megabytes(maxPhotoBytes)} MB.`);
  try {
    return await decoders.decode(sanitizePhoto(photo), companyId);
  } catch (error) {
    if (error instanceof PhotoError) throw refused(field, error.text, error);
    if (error instanceof DecodingError) throw problemOf(error, field);
    throw error;
  }
}

function problemOf(error: DecodingError, field: string): Problem {
  switch (error.failure) {
    case 'damaged':
      return refused(field, damagedPhoto().text, error);
    case 'died':
      return refused(
        field,
        t`Decoding the photo takes more than ${decoderMemoryMb} MB of memory, or the photo is damaged.`,
        error,
      );
    case 'late':
      return refused(field, t`Decoding the photo takes longer than ${decodeS} seconds. Save it again as JPEG.`, error);
    case 'not_started':
      return serviceUnavailable(error);
    default:
      return serviceUnavailable(new Overload(error.message));
  }
}

function refused(field: string, message: Text, cause: unknown): Problem {
  const problem = validationError({ [field]: [{ code: 'invalid_format', message }] });
  problem.cause = cause;
  return problem;
}
