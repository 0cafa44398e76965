/** Normalizes paths of parts (ECMA-376, part 2, 6.2): with or without leading slash, escapes, or backslashes. */

/** @returns the same text for all spellings of a path */
export function plainPath(path: string): string {
  return resolved(path).split('/').map(unescaped).join('/').toLowerCase();
}

/** @param target an absolute URL stays unchanged and matches no part @param folder with a trailing slash, or empty */
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
    return step; // a literal percent sign
  }
}
