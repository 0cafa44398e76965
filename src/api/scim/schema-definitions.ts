/** Schema definitions (RFC 7643, section 7): the attributes that are used, and common ones that are stored and returned. */
import { schemas } from '../../product/directories/attributes.ts';

type Attribute = Record<string, unknown> & { name: string };

const simple = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
};

function text(name: string, description: string, more: object = {}): Attribute {
  return { name, ...simple, description, ...more };
}

function boolean(name: string, description: string, more: object = {}): Attribute {
  const { caseExact: _, uniqueness: __, ...rest } = simple;
  return { name, ...rest, type: 'boolean', description, ...more };
}

function complex(name: string, description: string, subAttributes: Attribute[], more: object = {}): Attribute {
  const { caseExact: _, uniqueness: __, ...rest } = simple;
  return { name, ...rest, type: 'complex', description, subAttributes, ...more };
}

/** A multi-valued attribute with the default sub-attributes (section 2.4). */
function list(name: string, description: string, more: object = {}): Attribute {
  const defaultSubAttributes = [
    text('value', 'The value.', more),
    text('display', 'Display value.'),
    text('type', 'Type, such as work.'),
    boolean('primary', 'Whether this is the primary value.'),
  ];
  return complex(name, description, defaultSubAttributes, { multiValued: true, ...more });
}

const reference = (types: string[]) => ({ type: 'reference', referenceTypes: types, caseExact: true });
const readOnly = { mutability: 'readOnly' };

const user: Attribute[] = [
  text('userName', 'Identifier at the provider, unique in the directory.', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'Name and its parts.', [
    text('formatted', 'Full name.'),
    text('familyName', 'Family name.'),
    text('givenName', 'Given name.'),
    text('middleName', 'Middle name.'),
    text('honorificPrefix', 'Prefix of the name.'),
    text('honorificSuffix', 'Suffix of the name.'),
  ]),
  text('displayName', 'Name, used if name.formatted is missing.'),
  text('nickName', 'Nickname.'),
  text('profileUrl', "URL of the person's profile.", reference(['external'])),
  text('title', 'The position.'),
  text('userType', 'Type of employment.'),
  text('preferredLanguage', 'The language.'),
  text('locale', 'The locale.'),
  text('timezone', 'Time zone.'),
  // Always present, so it can't be removed.
  boolean('active', 'Whether the person can sign in to the company.', { required: true }),
  list(
    'emails',
    'Email addresses. The work address is used, otherwise the primary, otherwise the first. Optional only if userName is an email address.',
    { required: true },
  ),
  list('phoneNumbers', 'Phone numbers, chosen like the email address.'),
  list('ims', 'Instant messengers.'),
  list('photos', 'Photo URLs, stored but not fetched.'),
  complex(
    'addresses',
    'Addresses. The locality of the work address becomes the location.',
    [
      text('formatted', 'Full address.'),
      text('streetAddress', 'Street and number.'),
      text('locality', 'City.'),
      text('region', 'State.'),
      text('postalCode', 'Postal code.'),
      text('country', 'Country.'),
      text('type', 'Type, such as work.'),
      boolean('primary', 'Whether this is the primary value.'),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'Groups of the person in this directory.',
    [
      text('value', 'ID of the group.', readOnly),
      text('$ref', 'Its address.', { ...reference(['Group']), ...readOnly }),
      text('display', 'Its name.', readOnly),
      text('type', 'Always direct.', readOnly),
    ],
    { multiValued: true, ...readOnly },
  ),
  list('entitlements', 'Entitlements, stored without effect.'),
  list('roles', 'Roles, stored without effect: groups grant access.'),
  list('x509Certificates', 'Certificates, stored without effect.'),
];

const enterprise: Attribute[] = [
  text('employeeNumber', 'Employee number, unique in the company.'),
  text('costCenter', 'Cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', 'The department.'),
  complex('manager', 'Manager, who may be added later.', [
    text('value', 'ID of the manager.'),
    text('$ref', 'URL of the manager.', reference(['User'])),
    text('displayName', 'Name of the manager.', readOnly),
  ]),
];

const group: Attribute[] = [
  text('displayName', 'Name, unique in the directory.', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'People in the directory.',
    [
      text('value', 'ID of the person.', { mutability: 'immutable' }),
      text('$ref', 'URL of the person.', { ...reference(['User']), mutability: 'immutable' }),
      text('type', 'Always User.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
    { multiValued: true },
  ),
];

const schemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const kindUrn = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

export function schemaDefinitions(scimUrl: string) {
  const schema = (id: string, name: string, description: string, attributes: Attribute[]) => ({
    schemas: [schemaUrn],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${scimUrl}/Schemas/${id}` },
  });
  return [
    schema(schemas.user, 'User', 'A person', user),
    schema(schemas.enterprise, 'EnterpriseUser', 'Company data of a person', enterprise),
    schema(schemas.group, 'Group', 'A group', group),
  ];
}

export function resourceTypes(scimUrl: string) {
  const kind = (id: string, schema: string, more: object) => ({
    schemas: [kindUrn],
    id,
    name: id,
    endpoint: `/${id}s`,
    description: id,
    schema,
    ...more,
    meta: { resourceType: 'ResourceType', location: `${scimUrl}/ResourceTypes/${id}` },
  });
  return [
    kind('User', schemas.user, { schemaExtensions: [{ schema: schemas.enterprise, required: false }] }),
    kind('Group', schemas.group, {}),
  ];
}

export const maxResults = 200;

export function serviceProviderConfig(scimUrl: string, documentationUri: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Directory token',
        description: 'A bearer token that an admin of the company creates and rotates.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${scimUrl}/ServiceProviderConfig` },
  };
}
