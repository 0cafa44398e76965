// Files, and what comes through standard input.
import { readFileSync, statSync } from 'node:fs';
import { relative, resolve as resolvePath } from 'node:path';
import { CannotCompare } from '../../model/cannot-compare.ts';
import type { Source, SourceOptions } from './source.ts';
import { decoded, textOfBytes, tooLarge } from './text.ts';

/** The document in a file, and the files it refers to. */
export function fileSource(path: string, { maxBytes }: SourceOptions): Source {
  return {
    entry: resolvePath(path),
    resolve: nearFile,
    show: shownPath,
    // One after the other: for many small files that takes a tenth of the time of reading them side by side.
    read: async (names) => {
      const found = new Map<string, string>();
      for (const name of names) {
        const text = readIfThere(name, maxBytes);
        if (text !== undefined) found.set(name, text);
      }
      return found;
    },
  };
}

/** The documents that are one API together, and the files they refer to. @param shown a name for all of them */
export const filesSource = (paths: readonly string[], shown: string, options: SourceOptions): Source => ({
  ...fileSource(shown, options),
  parts: paths.map((path) => resolvePath(path)),
});

/** The document that comes through standard input; it may refer to files, seen from here. */
export function inputSource(options: SourceOptions): Source {
  const entry = resolvePath('standard input');
  const files = fileSource('.', options);
  return {
    ...files,
    entry,
    show: (name) => (name === entry ? 'standard input' : shownPath(name)),
    read: async (names) => {
      if (!names.includes(entry)) return files.read(names);
      if (process.stdin.isTTY) throw new CannotCompare('Nothing comes through standard input.');
      const text = textOfBytes(await readAll(process.stdin, options.maxBytes), 'standard input');
      return new Map([[entry, text], ...(await files.read(names.filter((name) => name !== entry)))]);
    },
  };
}

/** A document that a program has as a value; it may refer to files, seen from here. */
export function valueSource(value: object, options: SourceOptions): Source {
  const entry = resolvePath('document');
  const files = fileSource('.', options);
  return {
    ...files,
    entry,
    show: (name) => (name === entry ? 'document' : shownPath(name)),
    read: async (names) => {
      const read = await files.read(names.filter((name) => name !== entry));
      return names.includes(entry) ? new Map([[entry, JSON.stringify(value, null, 1)], ...read]) : read;
    },
  };
}

/** An address in a file is not asked: what a comparison says would depend on more than the files. */
const nearFile = (reference: string, from: string): string | undefined =>
  /^[a-z][a-z\d+.-]+:/i.test(reference) ? undefined : resolvePath(from, '..', decoded(reference));

const shownPath = (name: string): string => {
  const near = relative(process.cwd(), name);
  return near.startsWith('..') ? name : near;
};

function readIfThere(name: string, maxBytes: number): string | undefined {
  let bytes: Uint8Array;
  try {
    const file = statSync(name);
    if (file.isDirectory()) throw new CannotCompare(`${shownPath(name) || name} is a folder.`);
    if (file.isFile() && file.size > maxBytes) throw tooLarge(shownPath(name), maxBytes, file.size);
    bytes = readFileSync(name);
  } catch (error) {
    if (error instanceof CannotCompare) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CannotCompare(`${shownPath(name)} can't be read: ${message}`);
  }
  return textOfBytes(bytes, shownPath(name));
}

/** Reads a stream to its end. @throws CannotCompare when there is more of it than is read */
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
