/** All settings as a table, generated from `settings.ts`, for `docs/operations/settings.md` and the command line. */
import { z } from 'zod';
import { noMaximum } from './setting-kinds.ts';
import { settings } from './settings.ts';

interface Setting {
  name: string;
  default: string | undefined;
  /** Valid values, with their unit: `1–65535`, `true, false`, `ms, from 1`. */
  values: string;
  required: boolean;
  /** Holds a secret, and may come from the file in NAME_FILE. */
  secret: boolean;
  description: string;
}

/** Units are the last word of a name. */
const units: Record<string, string> = { MS: 'ms', S: 's', MIN: 'a minute', BYTES: 'bytes', ENTRIES: 'entries' };

interface Described {
  description?: string;
  default?: unknown;
  enum?: string[];
  type?: string;
  minimum?: number;
  maximum?: number;
  required_in_production?: boolean;
  secret?: boolean;
}

/** In source order, which groups related settings. */
export function settingsTable(): Setting[] {
  const { properties } = z.toJSONSchema(settings, { unrepresentable: 'any', io: 'output' }) as {
    properties: Record<string, Described>;
  };
  return Object.entries(properties).map(([name, described]) => ({
    name,
    default: described.default === undefined ? undefined : String(described.default),
    values: valuesOf(name, described),
    required: described.required_in_production ?? false,
    secret: described.secret ?? false,
    description: described.description ?? '',
  }));
}

function valuesOf(name: string, { enum: choices, type, minimum, maximum }: Described): string {
  if (choices) return choices.join(', ');
  if (type !== 'integer' && type !== 'number') return '';
  const unit = units[name.split('_').at(-1)!];
  const range = maximum === undefined || maximum === noMaximum ? `from ${minimum}` : `${minimum}–${maximum}`;
  return unit ? `${range} ${unit}` : range;
}
