/** Receives a file as base64 in JSON, with the same checks as a file in a form. */
import { Readable } from 'node:stream';
import { t } from '../../../contract/languages/text.ts';
import { type FieldError, Problem, validationError } from '../../../contract/problem.ts';
import { decodeBase64, InvalidBase64 } from './base64.ts';

/** @param receive handles the file of a form; its errors of the field `file` are reported for `content_base64` */
export async function receiveBase64<T>(contentBase64: string, receive: (stream: Readable) => Promise<T>): Promise<T> {
  try {
    return await receive(Readable.from(decodeBase64(contentBase64), { objectMode: false }));
  } catch (error) {
    if (error instanceof InvalidBase64) throw ofBase64({ code: 'invalid_format', message: t`Must be valid base64.` });
    const errors = error instanceof Problem && error.code === 'validation_error' ? error.details?.file : undefined;
    throw errors ? ofBase64(...(errors as FieldError[])) : error;
  }
}

function ofBase64(...errors: FieldError[]): Problem {
  return validationError({ content_base64: errors });
}
