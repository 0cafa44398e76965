// Parses YAML and JSON.
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import { CannotCompare } from '../model/cannot-compare.ts';

/** Deeper than any handwritten document, but safe for the stack. */
export const maxDepth = 1_000;
/** Limit of expanded YAML aliases: a few lines can expand beyond any memory. */
const maxValues = 3_000_000;
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Whether a text is most likely JSON; YAML flow style looks like it. */
export const looksLikeJson = (text: string): boolean => /^\uFEFF?\s*[{[]/.test(text);

/**
 * Parses JSON or YAML 1.2 (with merge keys).
 * @param name file name for error messages
 * @throws CannotCompare for invalid text, with line and column
 */
export function parse(text: string, name: string): unknown {
  let jsonError: string | undefined;
  if (looksLikeJson(text)) {
    try {
      return checked(JSON.parse(text.replace(/^\uFEFF/, '')), name, 0);
    } catch (error) {
      if (error instanceof CannotCompare) throw error;
      if (error instanceof RangeError) throw tooDeep(name);
      if (/\.json$/i.test(name) || /^\s*\{\s*"/.test(text)) jsonError = describeJsonError(error as Error, text);
    }
  }
  try {
    const value = load(text, { schema, maxDepth });
    return /[\s[{,]&[\w-]/.test(text) ? checked(value, name, maxValues) : value;
  } catch (error) {
    if (error instanceof CannotCompare) throw error;
    if (error instanceof RangeError) throw tooDeep(name);
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const description =
      jsonError ?? `${mark ? `:${mark.line + 1}:${mark.column + 1}` : ''} is neither YAML nor JSON: ${reason}`;
    throw new CannotCompare(`${name}${description}.`);
  }
}

const tooDeep = (name: string) => new CannotCompare(`${name} is nested more than ${maxDepth} levels deep.`);

/** Sentence ending after the file name. */
function describeJsonError({ message }: Error, text: string): string {
  const at = /at position (\d+)/.exec(message)?.[1];
  const offset = at === undefined ? text.trimEnd().length : Number(at);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const reason = /end of JSON|Unterminated/i.test(message)
    ? 'it ends too early'
    : message.replace(/ in JSON at position.*$/s, '').replace(/,? *"?\.\.\..*$/s, '');
  return `:${line}:${column} is not JSON: ${reason}`;
}

/**
 * @param max limit of values, counted with aliases expanded; 0 for no limit
 * @returns the value
 * @throws CannotCompare when it is nested too deeply, circular, or too large
 */
function checked(value: unknown, name: string, max: number): unknown {
  let count = 0;
  const ancestors: unknown[] = [];
  const visit = (node: object): void => {
    if (ancestors.length >= maxDepth) throw tooDeep(name);
    if (max > 0) {
      if (++count > max) throw new CannotCompare(`${name}: its aliases stand for more than ${max} values.`);
      if (ancestors.includes(node)) throw new CannotCompare(`${name}: an alias stands within what it stands for.`);
    }
    ancestors.push(node);
    for (const item of Object.values(node)) if (typeof item === 'object' && item !== null) visit(item);
    ancestors.pop();
  };
  if (typeof value === 'object' && value !== null) visit(value);
  return value;
}
