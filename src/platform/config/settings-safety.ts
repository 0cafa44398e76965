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
      'Settings, separated by commas, that production accepts although they are missing or unsafe; each is logged as a ' +
        `warning at the start. Of ${acceptableSettings.join(', ')}`,
    ),
};
