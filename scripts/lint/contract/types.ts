// The parts of Redocly's rule interface that these rules use. Redocly's CLI publishes no types.

/** Location of a node: a file and a JSON pointer. */
export type Location = {
  source: { absoluteRef: string };
  pointer: string;
  absolutePointer: string;
  child(keys: string | number | (string | number)[]): Location;
  key(): Location;
};

export type Context = {
  /** Key of the node in its parent: `get`, `/v1/collaborators`, `200`. */
  key: string | number;
  location: Location;
  report(problem: { message: string; location?: Location }): void;
  /** Resolves a reference found in the file `from` (default: the visited file). */
  resolve(node: { $ref: string }, from?: string): { node?: unknown; location?: Location };
};

// The node types that a rule declares are not checked, so rules must not trust them.
// biome-ignore lint/suspicious/noExplicitAny: the argument's type is the visitor's own claim.
export type Visit = (node: any, context: Context) => void;
export type Visitor = { [type: string]: Visit | Visitor };
export type Rule = () => Visitor;

export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
