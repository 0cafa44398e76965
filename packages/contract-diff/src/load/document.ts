// A loaded document, and cursors: values with their location.

import { CannotCompare } from '../model/cannot-compare.ts';
import { isObject, type JsonObject, keysOf, member, segment, texts } from '../model/json.ts';
import type { Dialect, SchemaDocument } from '../schema/index.ts';
import { bundle } from './bundle.ts';
import type { Bundle } from './compose/part.ts';
import { type Lines, linesOf } from './lines.ts';
import { type LintIssue, lint } from './lint.ts';
import { filesSource, valueSource } from './sources/files.ts';
import { defaultSourceOptions, type Source, type SourceOptions } from './sources/source.ts';
import { sourceOf } from './sources/source-of.ts';

interface Location {
  readonly file: string;
  /** Starts at 1. */
  readonly line: number;
}

/** One side of a comparison: a valid, bundled document. */
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

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  warn({ pointer, text }: LintIssue): void {
    this.#warnings.push(this.formatMessage(pointer, text));
  }

  /** Formats a message about a location: `file:line: /pointer: text`. */
  formatMessage(pointer: string, text: string): string {
    const { file, line } = this.locate(pointer);
    return `${file}:${line}: ${pointer === '' ? '' : `${pointer} `}${text}`;
  }

  get top(): Cursor {
    return new Cursor(this, this.root, '');
  }

  /** Source location of a pointer; for a missing value, of its nearest ancestor. */
  locate(pointer: string): Location {
    const keys = keysOf(pointer);
    let node: unknown = this.root;
    let origin = this.#bundle.origins.get(this.root)!;
    let remainingKeys: string[] = [];
    for (const key of keys) {
      node = member(node, key);
      remainingKeys.push(key);
      const known = typeof node === 'object' && node !== null ? this.#bundle.origins.get(node) : undefined;
      if (known !== undefined) {
        origin = known;
        remainingKeys = [];
      }
    }
    return { file: this.#show(origin.file), line: this.#line(origin.file, [...origin.keys, ...remainingKeys]) };
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

/** A value of a document with its JSON pointer. */
export class Cursor {
  readonly document: ContractDocument;
  readonly value: unknown;
  readonly pointer: string;
  /** Where the user of the value wrote it: the location of the reference that led here, if any. */
  readonly written: string;
  /** Members beside the reference, which override the target's. */
  readonly #siblings: ReadonlySet<string>;
  /** This location, and those of the schemas merged with it. */
  readonly merged: readonly Cursor[];

  constructor(
    document: ContractDocument,
    value: unknown,
    pointer: string,
    written = pointer,
    siblings = none,
    others: readonly Cursor[] = [],
  ) {
    this.document = document;
    this.value = value;
    this.pointer = pointer;
    this.written = written;
    this.#siblings = siblings;
    this.merged = [this, ...others];
  }

  /** The same location, as one of several merged ones. */
  mergedWith(others: readonly Cursor[]): Cursor {
    return new Cursor(this.document, this.value, this.pointer, this.written, this.#siblings, others);
  }

  /** Whether a member is beside the reference rather than in its target. */
  isRefSibling(key: string): boolean {
    return this.#siblings.has(key);
  }

  /** The member under this key, with references resolved; undefined if missing. */
  at(key: string | number): Cursor | undefined {
    return this.raw(key)?.resolveRefs();
  }

  /** The member under this key, without resolving references. */
  raw(key: string | number): Cursor | undefined {
    const value = member(this.value, key);
    return value === undefined ? undefined : new Cursor(this.document, value, `${this.pointer}/${segment(key)}`);
  }

  /** The plain value under this key. */
  get(key: string): unknown {
    return member(this.value, key);
  }

  /** Members of an object or items of a list, with references resolved. */
  entries(): [key: string, cursor: Cursor][] {
    if (typeof this.value !== 'object' || this.value === null) return [];
    return Object.keys(this.value).map((key) => [key, this.at(key)!]);
  }

  /** The same without extensions. */
  members(): [key: string, cursor: Cursor][] {
    return this.entries().filter(([key]) => !key.startsWith('x-'));
  }

  /** The entries of a member; empty if missing. */
  entriesOf(key: string): [key: string, cursor: Cursor][] {
    return this.at(key)?.entries() ?? [];
  }

  /** Resolves references. A description or summary beside a reference overrides the target's. */
  resolveRefs(): Cursor {
    let here: Cursor = this;
    const visited = new Set<string>();
    while (isObject(here.value) && typeof here.value.$ref === 'string' && here.value.$ref.startsWith('#')) {
      const pointer = here.value.$ref.slice(1);
      if (visited.has(pointer)) return here;
      visited.add(pointer);
      const keys = keysOf(`#${pointer}`);
      const value = keys.reduce<unknown>(member, this.document.root);
      if (value === undefined) return here;
      const { $ref: _, ...siblings } = here.value;
      const members = Object.keys(siblings);
      const target = isObject(value) && members.length > 0 ? { ...value, ...siblings } : value;
      const targetPointer = keys.map((key) => `/${segment(key)}`).join('');
      const all = members.length > 0 ? new Set([...here.#siblings, ...members]) : here.#siblings;
      here = new Cursor(this.document, target, targetPointer, this.written, all);
    }
    return here;
  }
}

interface LoadOptions extends Partial<SourceOptions> {
  /** Whether `info.version` must be a semantic version. */
  readonly needsVersion?: boolean;
  /** Additional stability levels of the policy. */
  readonly stabilityLevels?: readonly string[];
}

/**
 * Loads one side of a comparison.
 *
 * @param input a file, a folder of releases, `REV:path` of git, an http URL, `-` for standard input; a list of files of one API;
 *   or the document itself as a value
 * @throws CannotCompare when the document doesn't exist, or isn't OpenAPI of a supported version
 */
export async function loadDocument(input: string | object, options: LoadOptions = {}): Promise<ContractDocument> {
  const sourceOptions = { ...defaultSourceOptions, ...options };
  const source = await sourceFor(input, sourceOptions);
  const parts = await bundle(source);
  const document = new ContractDocument(parts, source.show);
  const { errors, warnings } = lint(parts.root, options.needsVersion ?? true, options.stabilityLevels);
  if (errors.length > 0)
    throw new CannotCompare(...errors.map(({ pointer, text }) => `${document.formatMessage(pointer, text)}.`));
  for (const warning of warnings) document.warn(warning);
  return document;
}

async function sourceFor(input: string | object, options: SourceOptions): Promise<Source> {
  if (typeof input === 'string') return sourceOf(input, options);
  const files = texts(input);
  return files.length > 0 ? filesSource(files, files.join(', '), options) : valueSource(input, options);
}
