// Selects the operations to compare.

import { type Operation, shapeOf } from '../load/operations.ts';
import { CannotCompare } from '../model/cannot-compare.ts';
import { globMatches } from '../model/glob.ts';
import { texts } from '../model/json.ts';

/** The operations to compare. Each filter is `path=GLOB`, `tag=NAME`, `operation=ID`, `stability=LEVEL`, `x-NAME` or `x-NAME=VALUE`. */
export interface Filters {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

type Matches = (operation: Operation) => boolean;

export class OperationFilter {
  readonly #only: ReadonlyMap<string, Matches>;
  readonly #except: ReadonlyMap<string, Matches>;
  readonly #used = new Set<string>();
  #all = 0;
  #selectedCount = 0;

  /** @throws CannotCompare for an invalid filter */
  constructor({ only = [], except = [] }: Filters) {
    const matchers = (list: readonly string[]) => new Map(list.map((text) => [text, matcherOf(text)]));
    this.#only = matchers(only);
    this.#except = matchers(except);
  }

  get isActive(): boolean {
    return this.#only.size + this.#except.size > 0;
  }

  /** Operations of both sides to compare: included on either side, and not excluded on every side. */
  apply([old, now]: readonly [Operation[], Operation[]]): [Operation[], Operation[]] {
    if (!this.isActive) return [old, now];
    const keyOf = ({ method, path }: Operation) => `${method} ${shapeOf(path)}`;
    const all = [...old, ...now];
    const included = new Set(all.filter((one) => this.#only.size === 0 || this.#isAny(this.#only, one)).map(keyOf));
    const notExcluded = new Set(all.filter((one) => !this.#isAny(this.#except, one)).map(keyOf));
    const select = (operations: Operation[]) =>
      operations.filter((one) => included.has(keyOf(one)) && notExcluded.has(keyOf(one)));
    this.#all += new Set(all.map(keyOf)).size;
    this.#selectedCount += new Set([...select(old), ...select(now)].map(keyOf)).size;
    return [select(old), select(now)];
  }

  /**
   * A sentence about excluded operations; undefined without filters.
   * @throws CannotCompare when a filter matches no operation, because a misspelled filter must not pass silently
   */
  summary(): string | undefined {
    const unused = [...this.#only.keys(), ...this.#except.keys()].filter((text) => !this.#used.has(text));
    if (unused.length > 0)
      throw new CannotCompare(...unused.map((text) => `The filter ${text} matches no operation of either document.`));
    return this.isActive
      ? `The filters leave ${this.#selectedCount} of ${this.#all} operations to compare.`
      : undefined;
  }

  #isAny(filters: ReadonlyMap<string, Matches>, operation: Operation): boolean {
    const matching = [...filters].filter(([, matches]) => matches(operation));
    for (const [text] of matching) this.#used.add(text);
    return matching.length > 0;
  }
}

/** @throws CannotCompare for an invalid filter */
function matcherOf(text: string): Matches {
  const [, name, value] = /^([^=]+)(?:=(.+))?$/s.exec(text) ?? [];
  if (name === 'path' && value) return ({ path }) => globMatches(value, path);
  if (name === 'tag' && value) return ({ cursor }) => texts(cursor.get('tags')).includes(value);
  if (name === 'operation' && value) return ({ operationId }) => operationId === value;
  // Without a level, an operation is stable.
  if (name === 'stability' && value)
    return ({ cursor, item }) =>
      (cursor.get('x-stability-level') ?? item.get('x-stability-level') ?? 'stable') === value;
  if (name?.startsWith('x-'))
    return ({ cursor, item }) => {
      const found = cursor.get(name) ?? item.get(name);
      return value === undefined ? found !== undefined : [found].flat().map(String).includes(value);
    };
  throw new CannotCompare(
    `${text} is no filter: write path=GLOB, tag=NAME, operation=ID, stability=LEVEL, x-NAME or x-NAME=VALUE, such as path=/pets/**.`,
  );
}
