// Files and stdin.
import { readFileSync, statSync } from 'node:fs';
import { relative, resolve as resolvePath } from 'node:path';
import { CannotCompare } from '../../model/cannot-compare.ts';
import type { Source, SourceOptions } from './source.ts';
import { decoded, textOfBytes, tooLarge } from './text.ts';

export function fileSource(path: string, { maxBytes }: SourceOptions): Source {
  return {
    entry: resolvePath(path),
    resolve: resolveRelative,
    show: displayPath,
    // Sequentially: for many small files, that is ten times faster than in parallel.
    read: async (names) => {
      const found = new Map<string, string>();
      for (const name of names) {
        const text = readIfExists(name, maxBytes);
        if (text !== undefined) found.set(name, text);
      }
      return found;
    },
  };
}

/** The documents of one API, and the files they refer to. @param displayName display name of all of them together */
export const filesSource = (paths: readonly string[], displayName: string, options: SourceOptions): Source => ({
  ...fileSource(displayName, options),
  parts: paths.map((path) => resolvePath(path)),
});

/** The document on standard input; its references are relative to the working directory. */
export function inputSource(options: SourceOptions): Source {
  const entry = resolvePath('standard input');
  const files = fileSource('.', options);
  return {
    ...files,
    entry,
    show: (name) => (name === entry ? 'standard input' : displayPath(name)),
    read: async (names) => {
      if (!names.includes(entry)) return files.read(names);
      if (process.stdin.isTTY) throw new CannotCompare('Nothing comes through standard input.');
      const text = textOfBytes(await readAll(process.stdin, options.maxBytes), 'standard input');
      return new Map([[entry, text], ...(await files.read(names.filter((name) => name !== entry)))]);
    },
  };
}

/** A document as a value; references are relative to the working directory. */
export function valueSource(value: object, options: SourceOptions): Source {
  const entry = resolvePath('document');
  const files = fileSource('.', options);
  return {
    ...files,
    entry,
    show: (name) => (name === entry ? 'document' : displayPath(name)),
    read: async (names) => {
      const read = await files.read(names.filter((name) => name !== entry));
      return names.includes(entry) ? new Map([[entry, JSON.stringify(value, null, 1)], ...read]) : read;
    },
  };
}

/** Files do not refer to URLs: the result must depend only on the files. */
const resolveRelative = (reference: string, from: string): string | undefined =>
  /^[a-z][a-z\d+.-]+:/i.test(reference) ? undefined : resolvePath(from, '..', decoded(reference));

const displayPath = (name: string): string => {
  const relativePath = relative(process.cwd(), name);
  return relativePath.startsWith('..') ? name : relativePath;
};

function readIfExists(name: string, maxBytes: number): string | undefined {
  let bytes: Uint8Array;
  try {
    const file = statSync(name);
    if (file.isDirectory()) throw new CannotCompare(`${displayPath(name) || name} is a folder.`);
    if (file.isFile() && file.size > maxBytes) throw tooLarge(displayPath(name), maxBytes, file.size);
    bytes = readFileSync(name);
  } catch (error) {
    if (error instanceof CannotCompare) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CannotCompare(`${displayPath(name)} can't be read: ${message}`);
  }
  return textOfBytes(bytes, displayPath(name));
}

/** Reads a whole stream. @throws CannotCompare above the size limit */
async function readAll(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > maxBytes) throw tooLarge('standard input', maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
