// Globs for JSON pointers: `*` matches within a key, `**` matches anything.

const known = new Map<string, RegExp>();

/** Whether a glob matches a JSON pointer. Ignores a leading `#` in the glob. */
export function globMatches(glob: string, pointer: string): boolean {
  let pattern = known.get(glob);
  if (!pattern) {
    const parts = glob
      .replace(/^#/, '')
      .split(/(\*+)/)
      .map((part, index) =>
        index % 2 === 0 ? part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&') : part === '*' ? '[^/]*' : '.*',
      );
    pattern = new RegExp(`^${parts.join('')}$`, 'su');
    known.set(glob, pattern);
  }
  return pattern.test(pointer);
}
