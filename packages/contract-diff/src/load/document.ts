// A loaded document, and cursors: values of it that know where they stand.

import { CannotCompare } from '../model/cannot-compare.ts';
import { isObject, type JsonObject, keysOf, member, segment, texts } from '../model/json.ts';
import type { Dialect, SchemaDocument } from '../schema/index.ts';
import { bundle } from './bundle.ts';
import type { Bundle } from './compose/part.ts';
import { type Lines, linesOf } from './lines.ts';
import { lint, type Oddity } from './lint.ts';
import { filesSource, valueSource } from './sources/files.ts';
import { defaultSourceOptions, type Source, type SourceOptions } from './sources/source.ts';
import { sourceOf } from './sources/source-of.ts';

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
  readonly #lines = new Map<string, Lines>();
  readonly #warnings: string[];

  constructor(parts: Bundle, show: (file: string) => string) {
    this.root = parts.root;
    this.dialect = String(parts.root.openapi).startsWith('3.0') ? '3.0' : '3.1';
    this.#bundle = parts;
    this.#show = show;
    this.#warnings = [...parts.warnings];
  }

  /** What is odd about the document and did not hinder, each with its place. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Notes something odd. */
  warn({ pointer, text }: Oddity): void {
    this.#warnings.push(this.tell(pointer, text));
  }

  /** A text about a place of this document, for a person: `file:line: /pointer: text`. */
  tell(pointer: string, text: string): string {
    const { file, line } = this.locate(pointer);
    return `${file}:${line}: ${pointer === '' ? '' : `${pointer} `}${text}`;
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
    return { file: this.#show(origin.file), line: this.#line(origin.file, [...origin.keys, ...beyond]) };
  }

  #line(file: string, keys: readonly string[]): number {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      lines = linesOf(this.#bundle.texts.get(file)!);
      this.#lines.set(file, lines);
    }
    return lines.of(keys);
  }
}

const none: ReadonlySet<string> = new Set();

/** A value of a document and the JSON pointer that leads to it. */
export class Cursor {
  readonly document: ContractDocument;
  readonly value: unknown;
  readonly pointer: string;
  /** Where whoever uses it wrote it: the place of the reference, where one led here. */
  readonly written: string;
  /** The members that stand beside the reference, there, and take the place of the target's. */
  readonly #beside: ReadonlySet<string>;
  /** This place, and those of the other schemas that were merged into one with it. */
  readonly merged: readonly Cursor[];

  constructor(
    document: ContractDocument,
    value: unknown,
    pointer: string,
    written = pointer,
    beside = none,
    others: readonly Cursor[] = [],
  ) {
    this.document = document;
    this.value = value;
    this.pointer = pointer;
    this.written = written;
    this.#beside = beside;
    this.merged = [this, ...others];
  }

  /** The same place, known to be one of several that were merged. */
  mergedWith(others: readonly Cursor[]): Cursor {
    return new Cursor(this.document, this.value, this.pointer, this.written, this.#beside, others);
  }

  /** Whether a member stands beside the reference that led here, and not in what it leads to. */
  isBeside(key: string): boolean {
    return this.#beside.has(key);
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
      const members = Object.keys(beside);
      const target = isObject(value) && members.length > 0 ? { ...value, ...beside } : value;
      const there = keys.map((key) => `/${segment(key)}`).join('');
      const all = members.length > 0 ? new Set([...here.#beside, ...members]) : here.#beside;
      here = new Cursor(this.document, target, there, this.written, all);
    }
    return here;
  }
}

/** How a document is read. */
interface LoadOptions extends Partial<SourceOptions> {
  /** Whether `info.version` must be a semantic version. */
  readonly needsVersion?: boolean;
  /** The stability levels that a policy knows beside the usual ones. */
  readonly stabilityLevels?: readonly string[];
}

/**
 * Loads one side of a comparison.
 *
 * @param input a file, a folder of releases, `REV:path` of git, an http address, `-` for standard input; a list of files that
 *   are one API together; or the document itself as a value
 * @throws CannotCompare when there is no such document, or it is no OpenAPI document of a version that can be compared
 */
export async function loadDocument(input: string | object, options: LoadOptions = {}): Promise<ContractDocument> {
  const reading = { ...defaultSourceOptions, ...options };
  const source = await sourceFor(input, reading);
  const parts = await bundle(source);
  const document = new ContractDocument(parts, source.show);
  const { faults, warnings } = lint(parts.root, options.needsVersion ?? true, options.stabilityLevels);
  if (faults.length > 0)
    throw new CannotCompare(...faults.map(({ pointer, text }) => `${document.tell(pointer, text)}.`));
  for (const warning of warnings) document.warn(warning);
  return document;
}

async function sourceFor(input: string | object, options: SourceOptions): Promise<Source> {
  if (typeof input === 'string') return sourceOf(input, options);
  const files = texts(input);
  return files.length > 0 ? filesSource(files, files.join(', '), options) : valueSource(input, options);
}
