// Interprets a document argument of the command line.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CannotCompare } from '../../model/cannot-compare.ts';
import { fileSource, inputSource } from './files.ts';
import { newestRelease } from './released.ts';
import type { Source, SourceOptions } from './source.ts';

/**
 * Resolves an argument: `-` for stdin, a URL, an existing file, a folder of releases (newest), or a git `REV:path`, relative to
 * the repository root (or to the working directory with `./`); without REV, the staged version.
 * @throws CannotCompare when it is none of them
 */
export async function sourceOf(argument: string, options: SourceOptions): Promise<Source> {
  if (argument === '-') return inputSource(options);
  // Load network and process modules lazily, for a faster startup.
  if (/^https?:\/\//i.test(argument)) return (await import('./address.ts')).addressSource(argument, options);
  const there = statSync(argument, { throwIfNoEntry: false });
  if (there?.isDirectory()) return fileSource(newestIn(argument), options);
  if (there) return fileSource(argument, options);
  const revision = /^([^:]*):(.+)$/.exec(argument);
  if (revision) return (await import('./git.ts')).gitSource(revision[1]!, revision[2]!, options);
  throw new CannotCompare(`There is no file ${argument}.`);
}

function newestIn(folder: string): string {
  const newest = newestRelease(folder);
  if (newest !== undefined) return newest;
  const document = ['openapi.yaml', 'openapi.yml', 'openapi.json', 'swagger.json', 'swagger.yaml']
    .map((name) => join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  throw new CannotCompare(
    `There is no release in ${folder} yet: a folder of releases holds files such as 1.4.0.json.${document === undefined ? '' : ` Is ${document} meant?`}`,
  );
}
