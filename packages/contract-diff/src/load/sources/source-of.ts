// Interprets a document argument of the command line.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CannotCompare } from '../../model/cannot-compare.ts';
import { fileSource, filesSource, inputSource } from './files.ts';
import { filesMatching, isGlob } from './glob.ts';
import { newestRelease } from './released.ts';
import type { Source, SourceOptions } from './source.ts';

/**
 * Resolves an argument to a source: `-` for standard input, an http URL, an existing file, a folder of releases (the newest
 * one), or `REV:path` of git, relative to the root of the repository, or with `./` to the working directory. Without a revision,
 * it is the staged version. A path with `*` is a glob.
 *
 * @throws CannotCompare when it is none of these
 */
export async function sourceOf(argument: string, options: SourceOptions): Promise<Source> {
  if (argument === '-') return inputSource(options);
  // Load network and process modules lazily, for a faster startup.
  if (/^https?:\/\//i.test(argument)) return (await import('./address.ts')).addressSource(argument, options);
  const stats = statSync(argument, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return fileSource(newestIn(argument), options);
  if (stats) return fileSource(argument, options);
  const revision = /^([^:]*):(.+)$/.exec(argument);
  if (revision) return (await import('./git.ts')).gitSource(revision[1]!, revision[2]!, options);
  if (isGlob(argument)) return filesSource(filesMatching(argument), argument, options);
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
