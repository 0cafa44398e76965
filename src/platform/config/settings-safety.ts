/** The setting that lets production start with unsafe settings. */
import { z } from 'zod';
import { choice } from './setting-kinds.ts';
import { acceptableSettings } from './unsafe-settings.ts';

export const safetySettings = {
  ACCEPT_UNSAFE_SETTINGS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .pipe(z.array(choice(acceptableSettings)))
    .optional()
    .describe(
      `Missing or unsafe settings to accept in production, separated by commas: ${acceptableSettings.join(', ')}. Each logs a warning at startup`,
    ),
};
