/** Interface of a program that fills in the template. */

/** A cell value; row and column start at 0. Dates are ISO strings. */
export interface Filling {
  row: number;
  column: number;
  kind: 'text' | 'number' | 'date';
  value: string | number;
}

export interface Tool {
  /** Name on the command line. */
  name: string;
  /** Requirements, and how to install them. */
  needs: string;
  formats: readonly string[];
  /** @returns its version @throws when it is not installed */
  version(): Promise<string>;
  /** Installs its libraries once, in fixed versions. @param tools target folder; exists already */
  install(tools: string): Promise<void>;
  /** Opens the template, fills in its first sheet, and saves it. @param target with the extension of the format */
  fill(tools: string, template: string, filling: string, target: string): Promise<void>;
}
