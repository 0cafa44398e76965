// Reads and validates policy files.
import { SettingsFile } from '../load/settings-file.ts';
import { findingClasses, levels } from '../model/findings.ts';
import { isList, isObject, type JsonObject } from '../model/json.ts';
import { Policy, type PolicyFile } from './policy.ts';
import { isRule } from './rules.ts';

type Keys = readonly (string | number)[];
type Check = (value: unknown, keys: Keys) => void;

/**
 * Reads a policy from a file or an object.
 * @param policy file name or content; default: the built-in rules
 * @throws CannotCompare when the file is missing or invalid: see docs/policy.md
 */
export function readPolicy(policy: string | PolicyFile | undefined): Policy {
  if (policy === undefined) return new Policy();
  const file =
    typeof policy === 'string' ? SettingsFile.read(policy) : new SettingsFile('policy', JSON.stringify(policy));
  // A file with only comments changes nothing.
  if (file.value === undefined || file.value === null) return new Policy();
  new PolicyCheck(file).whole(file.value, []);
  return new Policy(file.value as PolicyFile);
}

class PolicyCheck {
  readonly #file: SettingsFile;

  constructor(file: SettingsFile) {
    this.#file = file;
  }

  readonly #level: Check = (value, keys) => this.#oneOf(levels)(value, keys);

  readonly whole: Check = (value, keys) =>
    this.#members(value, keys, {
      classes: this.#mapOf(
        (name) => (findingClasses as readonly string[]).includes(name),
        'class of findings',
        (one, at) =>
          typeof one === 'string'
            ? this.#level(one, at)
            : this.#members(one, at, { 'at-least': this.#level, 'at-most': this.#level }),
      ),
      rules: this.#mapOf(isRule, 'rule', (one, at) => {
        if (typeof one === 'string') return this.#level(one, at);
        this.#members(one, at, { accept: this.#level, emit: this.#level });
        for (const direction of ['accept', 'emit'])
          if (!Object.hasOwn(one as object, direction)) this.#reject(at, `\`${direction}\` is missing.`);
      }),
      extensions: this.#mapOf(
        (name) => name.startsWith('x-'),
        'extension',
        this.#oneOf(['ignored', 'prose', 'meaning']),
      ),
      messages: this.#mapOf(isRule, 'rule', (one, at) => {
        if (typeof one !== 'string' || one.trim() === '') this.#reject(at, 'this must be a text.');
      }),
      ignore: this.#listOf((one, at) => {
        if (typeof one !== 'string' || !/^#?[/*]/.test(one))
          this.#reject(at, 'a place is a JSON pointer such as `/paths/~1internal**`, with `*` and `**` as wildcards.');
      }),
      'single-version': (one, at) => {
        if (typeof one !== 'boolean') this.#reject(at, 'this must be true or false.');
      },
      lifecycle: (one, at) =>
        this.#members(one, at, {
          'grace-days': (days, path) => {
            if (!Number.isInteger(days) || (days as number) < 0) this.#reject(path, 'this must be a number of days.');
          },
          'unstable-levels': this.#listOf((level, path) => {
            if (typeof level !== 'string') this.#reject(path, 'this must be a value of `x-stability-level`.');
          }),
          'unstable-at-most': this.#level,
        }),
    });

  #oneOf(words: readonly string[]): Check {
    return (value, keys) => {
      if (!words.includes(value as string))
        this.#reject(keys, `${JSON.stringify(value)} must be one of ${words.join(', ')}.`);
    };
  }

  #listOf(each: Check): Check {
    return (value, keys) => {
      if (!isList(value)) return this.#reject(keys, 'this must be a list.');
      for (const [index, item] of value.entries()) each(item, [...keys, index]);
    };
  }

  #mapOf(known: (name: string) => boolean, label: string, each: Check): Check {
    return (value, keys) => {
      for (const [name, item] of Object.entries(this.#object(value, keys))) {
        if (!known(name)) this.#reject([...keys, name], `there is no ${label} ${JSON.stringify(name)}.`);
        each(item, [...keys, name]);
      }
    };
  }

  #members(value: unknown, keys: Keys, checks: Readonly<Record<string, Check>>): void {
    for (const [name, item] of Object.entries(this.#object(value, keys))) {
      if (!Object.hasOwn(checks, name))
        this.#reject(
          [...keys, name],
          `${JSON.stringify(name)} is unknown here: use one of ${Object.keys(checks).join(', ')}.`,
        );
      checks[name]!(item, [...keys, name]);
    }
  }

  #object(value: unknown, keys: Keys): JsonObject {
    if (!isObject(value)) this.#reject(keys, 'this must be an object.');
    return value as JsonObject;
  }

  #reject(keys: Keys, message: string): never {
    throw this.#file.errorAt(keys, message);
  }
}
