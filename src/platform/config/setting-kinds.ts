/** What settings consist of, and the marks they may carry. */
import { z } from 'zod';

export const whole = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);
export const count = (fallback: number, minimum = 1, maximum = 2_147_483_647) =>
  whole(minimum, maximum).default(fallback);
export const flag = z.enum(['true', 'false']);
export const httpUrl = z.url({ protocol: /^https?$/ });

/** Marks what production needs. */
export const required = { required_in_production: true };

/** Marks what may be read from the file that NAME_FILE names, and is shown nowhere. */
export const secret = { secret: true };

/** A 32-byte key, in base64. */
const secretKey = z
  .base64()
  .refine((value) => Buffer.from(value, 'base64').length === 32, { message: 'must be 32 bytes in base64' });

/** Keys with commas between. */
export const secretKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.array(secretKey).min(1))
  .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')) as [Buffer, ...Buffer[]]);
