// What is composed, and what comes out.
import type { Origin } from '../references.ts';

/** A document in one piece: every `$ref` in it is a JSON pointer of the document. */
export interface Bundle {
  readonly root: Readonly<Record<string, unknown>>;
  /**
   * Where objects were written that came from elsewhere than the place they stand at. What is in them came with them; all
   * else stands in the document itself, where its pointer says.
   */
  readonly origins: WeakMap<object, Origin>;
  /** The texts it was read from, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Oddities that don't prevent a comparison. */
  readonly warnings: readonly string[];
}

/** One of several documents that are one API together. */
export interface Part extends Bundle {
  readonly file: string;
  /** Its name for people. */
  readonly shown: string;
}
