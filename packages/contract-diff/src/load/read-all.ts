// Reads a document and all files it refers to.
import { CannotCompare } from '../model/cannot-compare.ts';
import { isObject, member, visitNodes } from '../model/json.ts';
import { parse } from './parse.ts';
import type { Source } from './sources/source.ts';

export interface Files {
  readonly texts: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, unknown>;
}

const maxFiles = 20_000;

/**
 * Reads the document, then the files it refers to, then theirs, and so on.
 * @throws CannotCompare when the document is missing, or a file is invalid
 */
export async function readAll(source: Source): Promise<Files> {
  const texts = new Map<string, string>();
  const values = new Map<string, unknown>();
  let pending = [source.entry];
  while (pending.length > 0) {
    const read = await source.read(pending);
    if (pending[0] === source.entry && !read.has(source.entry))
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
    // Missing files stay out of `values`; they matter only if an actual reference needs them.
    const requested = new Set([...values.keys(), ...pending]);
    pending = [...next].filter((name) => !requested.has(name));
    if (values.size + pending.length > maxFiles)
      throw new CannotCompare(`${source.show(source.entry)} refers to more than ${maxFiles} files.`);
  }
  return { texts, values };
}

/** Files named by anything that looks like a reference, including examples. */
function references(value: unknown, text: string): Set<string> {
  const found = new Set<string>();
  if (isSelfContained(text)) return found;
  const addReference = (reference: unknown) => {
    if (typeof reference !== 'string' || reference.startsWith('#')) return;
    const file = reference.split('#')[0]!;
    if (file !== '') found.add(file);
  };
  visitNodes(value, (node) => {
    addReference(member(node, '$ref'));
    const mapping = member(member(node, 'discriminator'), 'mapping');
    if (isObject(mapping)) for (const target of Object.values(mapping)) if (isReference(target)) addReference(target);
  });
  return found;
}

/**
 * Whether a text clearly refers to no other file, which skips the search for most single-file documents. An unquoted `#` starts a
 * YAML comment, and escapes may hide letters: neither is clear.
 */
function isSelfContained(text: string): boolean {
  if (text.includes('discriminator') || /\\[uUx]0*24/.test(text)) return false;
  const all = text.match(/\$ref/g)?.length ?? 0;
  return all === (text.match(/\$ref["']?\s*:\s*["']#/g)?.length ?? 0);
}

/** A `discriminator.mapping` target is a reference or a component name. */
export const isReference = (target: unknown): target is string => typeof target === 'string' && /[#/.]/.test(target);
