// Options of a comparison. A misspelled option must not pass silently.
import type { Filters } from '../compare/filter.ts';
import type { SourceOptions } from '../load/sources/source.ts';
import { type Bump, bumps, type Level, levels } from '../model/findings.ts';
import { isList, isObject } from '../model/json.ts';
import type { PolicyFile } from '../policy/policy.ts';

export interface Options extends Filters {
  /** Policy file name or content. */
  readonly policy?: string | PolicyFile;
  readonly exceptions?: string;
  /** Folder of change files. */
  readonly changes?: string;
  /** Webhook payloads share `info.version`; the policy can set this as well. */
  readonly singleVersion?: boolean;
  /** The mildest level that fails, regardless of versions. */
  readonly failOn?: Level;
  /** The largest bump that passes: the counterpart of `failOn`. */
  readonly atMost?: Bump;
  /** Limits on reading documents; defaults as on the command line. */
  readonly sources?: Partial<SourceOptions>;
  /** Reference date for announced removals and exceptions, as YYYY-MM-DD; default: today. */
  readonly today?: string;
}

type Check = readonly [test: (value: unknown) => boolean, label: string];

const text: Check = [(value) => typeof value === 'string', 'a string'];
const flag: Check = [(value) => typeof value === 'boolean', 'true or false'];
const number: Check = [(value) => typeof value === 'number' && value > 0, 'a number above 0'];
const filters: Check = [(value) => isList(value) && value.every((one) => typeof one === 'string'), 'a list of filters'];
const oneOf = (words: readonly string[]): Check => [
  (value) => words.includes(value as string),
  `one of ${words.join(', ')}`,
];

const checks: Readonly<Record<keyof Options, Check>> = {
  policy: [(value) => typeof value === 'string' || isObject(value), 'the name of a file, or a policy'],
  exceptions: text,
  changes: text,
  singleVersion: flag,
  failOn: oneOf(levels.slice(1)),
  atMost: oneOf(bumps),
  sources: [isObject, 'an object'],
  today: text,
  only: filters,
  except: filters,
};
const sourceChecks: Readonly<Record<keyof NonNullable<Options['sources']>, Check>> = {
  maxBytes: number,
  timeoutMs: number,
  privateAddresses: flag,
};

/**
 * Validates options.
 * @returns them, with `atMost` converted to `failOn`
 * @throws TypeError for an unknown option or an invalid value
 */
export function checkOptions(options: Options): Options {
  check(options, checks, '');
  check(options.sources ?? {}, sourceChecks, 'sources.');
  const { atMost, failOn } = options;
  if (atMost !== undefined && failOn !== undefined)
    throw new TypeError('`atMost` and `failOn` say the same: give one of them.');
  return atMost === undefined ? options : { ...options, failOn: levelAbove[atMost] };
}

/** The mildest level above a bump. */
const levelAbove: Readonly<Record<Bump, Level>> = { none: 'patch', patch: 'minor', minor: 'undecided', major: 'error' };

function check(options: object, known: Readonly<Record<string, Check>>, where: string): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!rule)
      throw new TypeError(`There is no option \`${where}${name}\`; the options are ${Object.keys(known).join(', ')}.`);
    if (value !== undefined && !rule[0](value)) throw new TypeError(`\`${where}${name}\` must be ${rule[1]}.`);
  }
}
