/** The preview stored with an import. */

export interface Preview {
  /** The first values by column letter. */
  samples: Record<string, string[]>;
  people: { row: number; values: Record<string, string> }[];
}

export const noPreview: Preview = { samples: {}, people: [] };
