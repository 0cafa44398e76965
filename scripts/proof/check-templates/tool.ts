/** What a program that people fill the template in with is for the check. */

/** A cell that is filled in: the row and the column are counted from 0. Dates are ISO text. */
export interface Filling {
  row: number;
  column: number;
  kind: 'text' | 'number' | 'date';
  value: string | number;
}

export interface Tool {
  /** Names it on the command line. */
  name: string;
  /** What the machine has to have, and the way to get it. */
  needs: string;
  /**
   * What it saves the workbook as.
   */
  formats: readonly string[];
  /** @returns its version @throws when it is not on this machine */
  version(): Promise<string>;
  /**
   * Gets the libraries that it needs, at fixed versions, once.
   * @param tools where they go; there already
   */
  install(tools: string): Promise<void>;
  /**
   * Opens the template, fills in its first sheet, and saves it.
   * @param target with the ending of the format
   */
  fill(tools: string, template: string, filling: string, target: string): Promise<void>;
}
