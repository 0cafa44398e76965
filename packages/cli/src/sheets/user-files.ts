/** Checks local files before anything is sent or downloaded, so that a bad path fails early. */
import { constants, openAsBlob } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CliContext, pathAt } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';

/** @throws CliError when it is not a readable file */
export async function readableFile(context: CliContext, file: string): Promise<void> {
  const path = pathAt(context, file);
  const found = await stat(path).catch(undefinedIfMissing);
  if (!found) throw new CliError(`${file} does not exist${folderHint(context, file)}`);
  if (found.isDirectory()) throw new CliError(`${file} is a folder: pass a file`);
  if (!(await hasAccess(path, constants.R_OK))) throw new CliError(`permission denied to read ${file}`);
}

/** @throws CliError when it is not a readable file or pipe */
export async function contentOf(context: CliContext, file: string): Promise<Blob> {
  await readableFile(context, file);
  const path = pathAt(context, file);
  // Pipes, such as /dev/stdin, report a size of 0.
  return (await stat(path)).isFile() ? openAsBlob(path) : new Blob([await readFile(path)]);
}

/** @throws CliError when the file exists and `force` is not set, or the folder is not writable */
export async function writableFile(context: CliContext, file: string, { force }: { force?: boolean }): Promise<void> {
  const path = pathAt(context, file);
  const found = await stat(path).catch(undefinedIfMissing);
  if (found?.isDirectory()) throw new CliError(`${file} is a folder: pass a file`);
  if (found && !force) throw new CliError(`${file} already exists: choose another name, or replace it with --force`);
  const folder = await stat(dirname(path)).catch(undefinedIfMissing);
  if (!folder?.isDirectory()) {
    throw new CliError(`${file} can't be written: there is no folder ${dirname(file)}${folderHint(context, file)}`);
  }
  if (!(await hasAccess(dirname(path), constants.W_OK))) {
    throw new CliError(`${file} can't be written: permission denied in ${dirname(file)}`);
  }
}

/** Sanitizes a file name from the service: no folders, no control characters, nothing that file systems reject. */
export function suggestedName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!;
  const plain = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').replace(/[<>:"|?*]/g, '_');
  return plain.replace(/^[. ]+|[. ]+$/g, '') || 'file';
}

/** Shows the base folder of a relative path. */
function folderHint({ folder }: CliContext, file: string): string {
  return pathAt({ folder }, file) === file ? '' : ` (in ${folder})`;
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw new CliError(`${error.path} can't be read: ${error.code}`);
}

async function hasAccess(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
