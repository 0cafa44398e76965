/**
 * The oldest data that are taken: those of 1.0.0, the first version that was published. Its schema is one migration, which every
 * database and every backup since then begins with, unchanged.
 */

const firstVersion = '1.0.0';

interface Applied {
  name: string;
  checksum: string;
}

/**
 * @param data what is looked at, as the subject of the sentence
 * @param applied migrations that it has
 * @param known those of this version, in their order
 * @returns why it can't be taken; undefined where it can, and where there is nothing yet
 */
export function tooOld(data: string, applied: readonly Applied[], known: readonly Applied[]): string | undefined {
  const first = known[0]!;
  if (applied.length === 0) return undefined;
  if (applied.some(({ name, checksum }) => name === first.name && checksum === first.checksum)) return undefined;
  return (
    `${data} made by an unpublished version before ${firstVersion}, which is the oldest whose data are taken: nothing was ` +
    'changed. Go on with the version that made it, or begin with an empty database (in development: delete the folder .data)'
  );
}
