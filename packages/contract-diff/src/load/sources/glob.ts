// Expands globs such as `services/*.yaml` to the documents of one API.
import { type Dirent, readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { CannotCompare } from '../../model/cannot-compare.ts';
import { globMatches } from '../../model/glob.ts';

export const isGlob = (argument: string): boolean => argument.includes('*');

/** Names that match a glob, sorted. @throws CannotCompare when there are none */
export function matching(glob: string, names: readonly string[], displayName = glob): readonly string[] {
  // `**/` also matches no folder.
  const found = names.filter((name) => globMatches(glob.replaceAll('**/', '**'), name)).sort();
  if (found.length === 0) throw new CannotCompare(`No file matches ${displayName}.`);
  return found;
}

/** Files that match a glob, sorted. Skips hidden folders and `node_modules`. */
export function filesMatching(glob: string): readonly string[] {
  const fixed = glob.slice(0, glob.indexOf('*')).replace(/[^/]*$/, '');
  return matching(normalize(glob), filesBelow(fixed), glob);
}

function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : filesBelow(path);
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder || '.', { withFileTypes: true });
  } catch {
    return [];
  }
}
