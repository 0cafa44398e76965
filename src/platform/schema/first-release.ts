/** The oldest supported data: 1.0.0, whose one migration every database and backup since then starts with. */

const firstVersion = '1.0.0';

interface Applied {
  name: string;
  checksum: string;
}

/**
 * @param data the subject of the message
 * @param known this version's migrations, in order
 * @returns why the data is unsupported; undefined if it is supported or empty
 */
export function tooOld(data: string, applied: readonly Applied[], known: readonly Applied[]): string | undefined {
  const first = known[0]!;
  if (applied.length === 0) return undefined;
  if (applied.some(({ name, checksum }) => name === first.name && checksum === first.checksum)) return undefined;
  return (
    `${data} created by an unpublished version before ${firstVersion}, the oldest supported one: nothing was ` +
    'changed. Keep using that version, or start with an empty database (in development: delete the folder .data)'
  );
}
