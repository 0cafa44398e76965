/** Schemas and metadata that settings are made of. */
import { z } from 'zod';

/** Stands for no maximum: descriptions don't mention it. */
export const noMaximum = 2_147_483_647;

// Messages continue the name of the setting; config.ts appends the value.

export const wholeNumber = (minimum: number, maximum: number) => {
  const range = maximum === noMaximum ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`;
  const error = `must be a whole number ${range}`;
  return z.coerce.number({ error }).int({ error }).min(minimum, { error }).max(maximum, { error });
};
export const count = (fallback: number, minimum = 1, maximum = noMaximum) =>
  wholeNumber(minimum, maximum).default(fallback);
/** A day at most, so that every timer and session setting that code derives from it fits into 32 bits. */
export const milliseconds = (fallback: number, minimum = 1) => count(fallback, minimum, 86_400_000);
export const seconds = (fallback: number) => count(fallback, 1, 86_400);
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` });
export const flag = choice(['true', 'false']);
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be a URL such as https://people.example.com' });

/** Metadata: required in production. */
export const required = { required_in_production: true };

/** Metadata: may come from the file in NAME_FILE, and is never displayed. */
export const secret = { secret: true };

const secretKey = z
  .base64({ error: 'must be 32 bytes in base64' })
  .refine((value) => Buffer.from(value, 'base64').length === 32, { message: 'must be 32 bytes in base64' });

export const secretKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.array(secretKey).min(1))
  .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')) as [Buffer, ...Buffer[]]);
