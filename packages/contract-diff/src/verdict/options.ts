// The options of a comparison. A misspelled one must not look like a passed check.
import type { Filters } from '../compare/filter.ts';
import type { SourceOptions } from '../load/sources/source.ts';
import { type Bump, bumps, type Level, levels } from '../model/findings.ts';
import { isList, isObject } from '../model/json.ts';
import type { PolicyFile } from '../policy/policy.ts';

/** How to compare. Every option has a default. */
export interface Options extends Filters {
  /** What each class and rule asks for: the name of a file, or what would stand in it. */
  readonly policy?: string | PolicyFile;
  /** The file of accepted findings. */
  readonly exceptions?: string;
  /** The folder of files that decide about changed words. */
  readonly changes?: string;
  /** Webhook payloads share `info.version`; the policy may say so too. */
  readonly singleVersion?: boolean;
  /** The mildest change that fails, whatever the versions say. */
  readonly failOn?: Level;
  /** The largest change that passes: the same, seen from the other side. */
  readonly atMost?: Bump;
  /** How much is read of documents, and from where; what is not given is as the command line has it. */
  readonly sources?: Partial<SourceOptions>;
  /** The day that announced ends and exceptions are measured by, as YYYY-MM-DD; that of the clock unless it is given. */
  readonly today?: string;
}

type Check = readonly [test: (value: unknown) => boolean, called: string];

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
 * Checks the options.
 *
 * @returns them, with `failOn` also where `atMost` says the same
 * @throws TypeError when one is unknown, or has a value that it can't have
 */
export function checkOptions(options: Options): Options {
  check(options, checks, '');
  check(options.sources ?? {}, sourceChecks, 'sources.');
  const { atMost, failOn } = options;
  if (atMost !== undefined && failOn !== undefined)
    throw new TypeError('`atMost` and `failOn` say the same: give one of them.');
  return atMost === undefined ? options : { ...options, failOn: above[atMost] };
}

/** The mildest level that is too much. */
const above: Readonly<Record<Bump, Level>> = { none: 'patch', patch: 'minor', minor: 'undecided', major: 'error' };

function check(options: object, known: Readonly<Record<string, Check>>, where: string): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!rule)
      throw new TypeError(`There is no option \`${where}${name}\`; the options are ${Object.keys(known).join(', ')}.`);
    if (value !== undefined && !rule[0](value)) throw new TypeError(`\`${where}${name}\` must be ${rule[1]}.`);
  }
}
