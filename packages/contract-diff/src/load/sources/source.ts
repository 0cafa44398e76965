// Document sources. All read in batches, because one process or request per file would take longer than the comparison.

export interface Source {
  /** Name of the document, or of all documents of the API together. */
  readonly entry: string;
  /** The documents of one API, if there are several. */
  readonly parts?: readonly string[];
  /**
   * Resolves `reference`, written in the file `from`, to a file name.
   * @returns undefined when it is outside this source, such as a URL in a file
   */
  resolve(reference: string, from: string): string | undefined;
  /** Reads files; omits missing ones. @throws CannotCompare when an existing file can't be read */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Display name of a file. */
  show(name: string): string;
}

export interface SourceOptions {
  readonly maxBytes: number;
  /** Timeout per URL in milliseconds, including redirects. */
  readonly timeoutMs: number;
  readonly privateAddresses: boolean;
}

export const defaultSourceOptions: SourceOptions = {
  maxBytes: 100_000_000,
  timeoutMs: 30_000,
  privateAddresses: false,
};
