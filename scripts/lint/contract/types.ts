// What these rules use of Redocly's rule interface. Redocly hands a plugin plain objects and publishes no types with
// its command line, so they are written down here.

/** Where a node stands: a file and a JSON pointer into it. */
export type Location = {
  source: { absoluteRef: string };
  pointer: string;
  absolutePointer: string;
  child(keys: string | number | (string | number)[]): Location;
  key(): Location;
};

export type Context = {
  /** The key under which the visited node stands in its parent, as written: `get`, `/v1/collaborators`, `200`. */
  key: string | number;
  location: Location;
  report(problem: { message: string; location?: Location }): void;
  /** Follows a reference found in the file `from` (without it, in the visited file). */
  resolve(node: { $ref: string }, from?: string): { node?: unknown; location?: Location };
};

// Visitors are called with nodes whose shape the rule names itself, checked by nobody: a rule must not trust them.
// biome-ignore lint/suspicious/noExplicitAny: the argument's type is the visitor's own claim.
export type Visit = (node: any, context: Context) => void;
export type Visitor = { [type: string]: Visit | Visitor };
export type Rule = () => Visitor;

export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
