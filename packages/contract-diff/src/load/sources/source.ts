// Where a document comes from. All places are read in batches: a process or a request for each file would take longer than
// the comparison.

/** A place that files are read from. Names of files are those of this place: paths, or addresses. */
export interface Source {
  /** The name of the document itself; where several are one API together, a name for all of them. */
  readonly entry: string;
  /** The documents that are one API together. */
  readonly parts?: readonly string[];
  /**
   * The name of the file that `reference`, written in the file `from`, means.
   *
   * @returns undefined when it lies where this source does not read, such as an address in a file
   */
  resolve(reference: string, from: string): string | undefined;
  /**
   * The texts of these files. A file that does not exist is left out.
   *
   * @throws CannotCompare when one is there and can't be read
   */
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A file's name as a person wants to see it. */
  show(name: string): string;
}

/** How much is read, and from where. */
export interface SourceOptions {
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  /** How long one address may take to answer, in milliseconds, redirects included. */
  readonly timeoutMs: number;
  /** Whether addresses of this machine and of private networks are asked. */
  readonly privateAddresses: boolean;
}

export const defaultSourceOptions: SourceOptions = {
  maxBytes: 100_000_000,
  timeoutMs: 30_000,
  privateAddresses: false,
};
