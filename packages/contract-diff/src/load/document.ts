// A loaded document, and cursors: values of it that know where they stand.

import { CannotCompare } from '../model/cannot-compare.ts';
import { isObject, type JsonObject, keysOf, member, segment } from '../model/json.ts';
import type { Dialect, SchemaDocument } from '../schema/index.ts';
import { type Bundle, bundle, keysFromTop } from './bundle.ts';
import { faultsOf } from './lint.ts';
import { sourceOf } from './source.ts';
import { linesOf, separator } from './yaml.ts';

/** Where something is written. */
interface Location {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** One side of a comparison: a valid document in one piece. */
export class ContractDocument implements SchemaDocument {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  readonly #bundle: Bundle;
  readonly #show: (file: string) => string;
  readonly #lines = new Map<string, ReadonlyMap<string, number>>();

  constructor(parts: Bundle, show: (file: string) => string) {
    this.root = parts.root;
    this.dialect = String(parts.root.openapi).startsWith('3.0') ? '3.0' : '3.1';
    this.#bundle = parts;
    this.#show = show;
  }

  /** The whole document as a cursor. */
  get top(): Cursor {
    return new Cursor(this, this.root, '');
  }

  /** Where a pointer of this document is written; for one that leads nowhere, the nearest place around it. */
  locate(pointer: string): Location {
    const keys = keysOf(pointer);
    let node: unknown = this.root;
    let origin = this.#bundle.origins.get(this.root)!;
    let beyond: string[] = [];
    for (const key of keys) {
      node = member(node, key);
      beyond.push(key);
      const known = typeof node === 'object' && node !== null ? this.#bundle.origins.get(node) : undefined;
      if (known !== undefined) {
        origin = known;
        beyond = [];
      }
    }
    return { file: this.#show(origin.file), line: this.#line(origin.file, [...keysFromTop(origin), ...beyond]) };
  }

  #line(file: string, keys: readonly string[]): number {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      lines = linesOf(this.#bundle.texts.get(file)!);
      this.#lines.set(file, lines);
    }
    for (let length = keys.length; length > 0; length--) {
      const line = lines.get(keys.slice(0, length).join(separator) + separator);
      if (line !== undefined) return line;
    }
    return 1;
  }
}

/** A value of a document and the JSON pointer that leads to it. */
export class Cursor {
  readonly document: ContractDocument;
  readonly value: unknown;
  readonly pointer: string;

  constructor(document: ContractDocument, value: unknown, pointer: string) {
    this.document = document;
    this.value = value;
    this.pointer = pointer;
  }

  /** The member under this key, with references followed; undefined when there is none. */
  at(key: string | number): Cursor | undefined {
    return this.raw(key)?.followed();
  }

  /** The member under this key as it is written. */
  raw(key: string | number): Cursor | undefined {
    const value = member(this.value, key);
    return value === undefined ? undefined : new Cursor(this.document, value, `${this.pointer}/${segment(key)}`);
  }

  /** A plain value under this key. */
  get(key: string): unknown {
    return member(this.value, key);
  }

  /** The members of an object, or the items of a list, with references followed. */
  entries(): [key: string, cursor: Cursor][] {
    if (typeof this.value !== 'object' || this.value === null) return [];
    return Object.keys(this.value).map((key) => [key, this.at(key)!]);
  }

  /** The same without extensions, for objects that can have some beside what they list. */
  members(): [key: string, cursor: Cursor][] {
    return this.entries().filter(([key]) => !key.startsWith('x-'));
  }

  /** The same, of a member; nothing when there is none. */
  entriesOf(key: string): [key: string, cursor: Cursor][] {
    return this.at(key)?.entries() ?? [];
  }

  /** What a reference refers to. A description or summary beside the reference takes the place of the target's. */
  followed(): Cursor {
    let here: Cursor = this;
    const seen = new Set<string>();
    while (isObject(here.value) && typeof here.value.$ref === 'string' && here.value.$ref.startsWith('#')) {
      const pointer = here.value.$ref.slice(1);
      if (seen.has(pointer)) return here;
      seen.add(pointer);
      const keys = keysOf(`#${pointer}`);
      const value = keys.reduce<unknown>(member, this.document.root);
      if (value === undefined) return here;
      const { $ref: _, ...beside } = here.value;
      const target = isObject(value) && Object.keys(beside).length > 0 ? { ...value, ...beside } : value;
      here = new Cursor(this.document, target, keys.map((key) => `/${segment(key)}`).join(''));
    }
    return here;
  }
}

/**
 * Loads one side of a comparison.
 *
 * @param argument a file, `REV:path` of git, or an address on this machine
 * @param needsVersion whether `info.version` must be a semantic version
 * @throws CannotCompare when there is no such document, or it is not a valid OpenAPI 3.0 or 3.1 document
 */
export async function loadDocument(argument: string, needsVersion = true): Promise<ContractDocument> {
  const source = sourceOf(argument);
  const parts = await bundle(source);
  const faults = faultsOf(parts.root, needsVersion);
  if (faults.length > 0)
    throw new CannotCompare(
      ...faults.map((fault) => `${source.show(source.entry)} is not a valid document: ${fault}.`),
    );
  return new ContractDocument(parts, source.show);
}
