/** Compares values that a client sends back with those that responses show. */
import { isDeepStrictEqual } from 'node:util';
import { contract, readOnlyFields } from '../../../contract/contract.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import type { FileLinks } from '../../../platform/files/links.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { collaboratorResponse } from './collaborator-response.ts';

/** @returns whether the viewer sees this value; false for hidden fields */
export function visibleValueMatcher(row: CollaboratorRow, viewer: Viewer): (field: string, value: unknown) => boolean {
  const view: Record<string, unknown> = { ...collaboratorResponse(row, viewer) };
  return (field, value) => {
    if (!Object.hasOwn(view, field)) return false;
    return field === 'avatar_url'
      ? isCurrentPhoto(row, viewer.files.links, value)
      : isDeepStrictEqual(view[field], value);
  };
}

const { compared, notCompared } = readOnlyFields(contract.components.schemas.CollaboratorUpdate!);

/** Removes read-only fields from an update if they have the publicly visible value. */
export function withoutUnchanged(
  row: CollaboratorRow,
  links: FileLinks,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isUnchanged = ([field, value]: [string, unknown]) => {
    if (field === 'avatar_url') return isCurrentPhoto(row, links, value);
    return compared.has(field) && value === row[field as keyof CollaboratorRow];
  };
  return Object.fromEntries(Object.entries(sent).filter((entry) => !isUnchanged(entry)));
}

export function withoutNotCompared(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !notCompared.includes(field)));
}

/** The photo's URL changes over time, the photo doesn't. */
function isCurrentPhoto({ avatar_key: avatarKey }: CollaboratorRow, links: FileLinks, address: unknown): boolean {
  if (address === null || avatarKey === null) return address === avatarKey;
  return typeof address === 'string' && links.keyOf(address) === avatarKey;
}
