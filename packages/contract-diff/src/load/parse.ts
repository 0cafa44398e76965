// Parses YAML and JSON.
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import { CannotCompare } from '../model/cannot-compare.ts';

/** Deeper than any handwritten document, but safe for the stack. */
export const maxDepth = 1_000;
/** Limit of expanded YAML aliases: a few lines can expand beyond any memory. */
const mostValues = 3_000_000;
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Whether a text is most likely JSON; YAML flow style looks like it. */
export const looksLikeJson = (text: string): boolean => /^\uFEFF?\s*[{[]/.test(text);

/**
 * Parses JSON or YAML 1.2 (with merge keys).
 * @param name file name for error messages
 * @throws CannotCompare for invalid text, with line and column
 */
export function parse(text: string, name: string): unknown {
  let complaint: string | undefined;
  if (looksLikeJson(text)) {
    try {
      return checked(JSON.parse(text.replace(/^\uFEFF/, '')), name, 0);
    } catch (error) {
      if (error instanceof CannotCompare) throw error;
      if (error instanceof RangeError) throw tooDeep(name);
      if (/\.json$/i.test(name) || /^\s*\{\s*"/.test(text)) complaint = complaintOfJson(error as Error, text);
    }
  }
  try {
    const value = load(text, { schema, maxDepth });
    return /[\s[{,]&[\w-]/.test(text) ? checked(value, name, mostValues) : value;
  } catch (error) {
    if (error instanceof CannotCompare) throw error;
    if (error instanceof RangeError) throw tooDeep(name);
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const said =
      complaint ?? `${mark ? `:${mark.line + 1}:${mark.column + 1}` : ''} is neither YAML nor JSON: ${reason}`;
    throw new CannotCompare(`${name}${said}.`);
  }
}

const tooDeep = (name: string) => new CannotCompare(`${name} is nested more than ${maxDepth} levels deep.`);

/** Sentence ending after the file name. */
function complaintOfJson({ message }: Error, text: string): string {
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
 * @param most limit of values, counted with aliases expanded; 0 for no limit
 * @returns the value
 * @throws CannotCompare when it is nested too deeply, circular, or too large
 */
function checked(value: unknown, name: string, most: number): unknown {
  let count = 0;
  const around: unknown[] = [];
  const look = (node: object): void => {
    if (around.length >= maxDepth) throw tooDeep(name);
    if (most > 0) {
      if (++count > most) throw new CannotCompare(`${name}: its aliases stand for more than ${most} values.`);
      if (around.includes(node)) throw new CannotCompare(`${name}: an alias stands within what it stands for.`);
    }
    around.push(node);
    for (const item of Object.values(node)) if (typeof item === 'object' && item !== null) look(item);
    around.pop();
  };
  if (typeof value === 'object' && value !== null) look(value);
  return value;
}
