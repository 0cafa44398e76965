// Media type names, normalized, and ranges that include several types.
import type { Cursor } from '../../load/document.ts';

/** Media types at a location, normalized: `Application/JSON; Charset="utf-8"` becomes `application/json;charset=utf-8`. */
export function mediaTypesOf(cursor: Cursor | undefined): Map<string, Cursor> {
  return new Map((cursor?.at('content')?.entries() ?? []).map(([type, entry]) => [mediaType(type), entry]));
}

export function mediaType(written: string): string {
  const [type, ...parameters] = written.split(';').map((part) => part.trim());
  return [type!.toLowerCase(), ...parameters.map(parameter).sort()].join(';');
}

function parameter(written: string): string {
  const [name, value = ''] = written.split('=') as [string, string?];
  const plain = value.trim().replace(/^"(.*)"$/, '$1');
  return `${name.trim().toLowerCase()}=${name.trim().toLowerCase() === 'charset' ? plain.toLowerCase() : plain}`;
}

/** Whether a range such as `application/*` includes this type. */
export const contains = (range: string, type: string): boolean =>
  range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
