/** What somebody looks at before they commit, as it is kept with an import. */

export interface Preview {
  /** The first values of each column, by its letter. */
  samples: Record<string, string[]>;
  /** The first people as they were understood. */
  people: { row: number; values: Record<string, string> }[];
}

export const noPreview: Preview = { samples: {}, people: [] };
