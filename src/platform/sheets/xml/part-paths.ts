/**
 * The paths of the parts of a workbook, which programs write in several ways (ECMA-376, part 2, 6.2): with or without a
 * slash in front, with escapes where they would not be needed, with the backslashes of their system.
 */

/** @returns what is the same for all ways to write a path */
export function plainPath(path: string): string {
  return resolved(path).split('/').map(unescaped).join('/').toLowerCase();
}

/**
 * @param target as a part names another; an address somewhere else stays as it is, and is the path of no part
 * @param folder of the part that names it, with a slash at its end, or empty
 */
export function targetPath(target: string, folder: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return target;
  return resolved(/^[\\/]/.test(target) ? target : folder + target);
}

function resolved(path: string): string {
  const steps: string[] = [];
  for (const step of path.replaceAll('\\', '/').split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step; // a percent sign of its own
  }
}
