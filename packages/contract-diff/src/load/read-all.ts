// Reads a document, and all files that it refers to.
import { CannotCompare } from '../model/cannot-compare.ts';
import { isObject, member, visitNodes } from '../model/json.ts';
import { parse } from './parse.ts';
import type { Source } from './sources/source.ts';

/** What was read. */
export interface Files {
  readonly texts: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The most files that one document is spread over. */
const mostFiles = 20_000;

/**
 * Reads the document, then all files that it names, then all that these name, and so on.
 *
 * @throws CannotCompare when the document is not there, or one of the files is no YAML or JSON
 */
export async function readAll(source: Source): Promise<Files> {
  const texts = new Map<string, string>();
  const values = new Map<string, unknown>();
  let wanted = [source.entry];
  while (wanted.length > 0) {
    const read = await source.read(wanted);
    if (wanted[0] === source.entry && !read.has(source.entry))
      throw new CannotCompare(`There is no ${source.show(source.entry)}.`);
    const next = new Set<string>();
    for (const [name, text] of read) {
      texts.set(name, text);
      const value = parse(text, source.show(name));
      values.set(name, value);
      for (const reference of references(value, text)) {
        const file = source.resolve(reference, name);
        if (file !== undefined) next.add(file);
      }
    }
    // A name that was asked for and not found stays out of `values`; it matters only if a real reference needs it.
    const asked = new Set([...values.keys(), ...wanted]);
    wanted = [...next].filter((name) => !asked.has(name));
    if (values.size + wanted.length > mostFiles)
      throw new CannotCompare(`${source.show(source.entry)} refers to more than ${mostFiles} files.`);
  }
  return { texts, values };
}

/** The files named by anything that looks like a reference; examples may look so too. */
function references(value: unknown, text: string): Set<string> {
  const found = new Set<string>();
  if (refersToItselfOnly(text)) return found;
  const note = (reference: unknown) => {
    if (typeof reference !== 'string' || reference.startsWith('#')) return;
    const file = reference.split('#')[0]!;
    if (file !== '') found.add(file);
  };
  visitNodes(value, (node) => {
    note(member(node, '$ref'));
    const mapping = member(member(node, 'discriminator'), 'mapping');
    if (isObject(mapping)) for (const target of Object.values(mapping)) if (isReference(target)) note(target);
  });
  return found;
}

/**
 * Whether a text plainly refers to no other file, so that it need not be searched: a document in one piece is most of what is
 * read. Behind an unquoted `#` there is a comment of YAML, and letters may be written as escapes: that is not plain.
 */
function refersToItselfOnly(text: string): boolean {
  if (text.includes('discriminator') || /\\[uUx]0*24/.test(text)) return false;
  const all = text.match(/\$ref/g)?.length ?? 0;
  return all === (text.match(/\$ref["']?\s*:\s*["']#/g)?.length ?? 0);
}

/** A target of `discriminator.mapping` is a reference, or just the name of a component. */
export const isReference = (target: unknown): target is string => typeof target === 'string' && /[#/.]/.test(target);
