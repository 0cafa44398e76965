// Globs for places: JSON pointers in which `*` stands for anything within a key, and `**` for anything at all.

const known = new Map<string, RegExp>();

/** Whether a glob means this JSON pointer. A `#` in front of the glob is left out. */
export function placeMatches(glob: string, pointer: string): boolean {
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
