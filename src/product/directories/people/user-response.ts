/** SCIM representation of a person (RFC 7643, section 4.1). */
import { schemas } from '../attributes.ts';
import type { ScimResource } from '../scim-resource.ts';
import type { GroupOfPerson, PersonWithStatus } from './person-rows.ts';

export function personVersion({ revision, record_revision: recordRevision, status }: PersonWithStatus): string {
  return `W/"${revision}.${recordRevision}.${status === 'inactive' ? 0 : 1}"`;
}

export function userResponse(
  person: PersonWithStatus,
  groups: readonly GroupOfPerson[],
  scimUrl: string,
): ScimResource {
  const { attributes, collaborator_id: id, external_id: externalId, user_name: userName } = person;
  const extensions = Object.keys(attributes).filter((name) => name.startsWith('urn:'));
  return {
    schemas: [schemas.user, ...extensions],
    id,
    ...(externalId !== null && { externalId }),
    ...attributes,
    userName,
    active: person.status !== 'inactive',
    ...(groups.length > 0 && {
      groups: groups.map(({ value, display }) => ({
        value,
        display,
        $ref: `${scimUrl}/Groups/${value}`,
        type: 'direct',
      })),
    }),
    meta: {
      resourceType: 'User',
      created: person.created_at,
      lastModified: person.updated_at,
      location: `${scimUrl}/Users/${id}`,
      version: personVersion(person),
    },
  };
}
