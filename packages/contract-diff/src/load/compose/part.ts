// The input and output of composing documents.
import type { Origin } from '../references.ts';

/** A bundled document: every `$ref` is a JSON pointer within it. */
export interface Bundle {
  readonly root: Readonly<Record<string, unknown>>;
  /** Source locations of moved objects, which also apply to their contents. Everything else is where its pointer says. */
  readonly origins: WeakMap<object, Origin>;
  /** Source texts by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Oddities that don't prevent a comparison. */
  readonly warnings: readonly string[];
}

/** One of several documents of an API. */
export interface Part extends Bundle {
  readonly file: string;
  /** Display name. */
  readonly displayName: string;
}
