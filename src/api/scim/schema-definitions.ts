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
  const usual = [
    text('value', 'The value.', more),
    text('display', 'What people read.'),
    text('type', 'The kind, such as work.'),
    boolean('primary', 'Whether it is the usual one.'),
  ];
  return complex(name, description, usual, { multiValued: true, ...more });
}

const reference = (types: string[]) => ({ type: 'reference', referenceTypes: types, caseExact: true });
const readOnly = { mutability: 'readOnly' };

const user: Attribute[] = [
  text('userName', 'What the provider calls the person, unique in the directory.', {
    required: true,
    uniqueness: 'server',
  }),
  complex('name', 'The name and its parts.', [
    text('formatted', 'The whole name.'),
    text('familyName', 'The family name.'),
    text('givenName', 'The given name.'),
    text('middleName', 'The middle name.'),
    text('honorificPrefix', 'In front of the name.'),
    text('honorificSuffix', 'Behind the name.'),
  ]),
  text('displayName', 'The name, where name.formatted is not sent.'),
  text('nickName', 'How the person is called.'),
  text('profileUrl', 'A page about the person.', reference(['external'])),
  text('title', 'The position.'),
  text('userType', 'The kind of employment.'),
  text('preferredLanguage', 'The language.'),
  text('locale', 'The locale.'),
  text('timezone', 'The time zone.'),
  // Always present, so it can't be removed.
  boolean('active', 'Whether the person may sign in to the company.', { required: true }),
  list(
    'emails',
    'Addresses: that of work is used, else the primary one, else the first. Left out only where userName is an address.',
    { required: true },
  ),
  list('phoneNumbers', 'Phones, chosen as the address is.'),
  list('ims', 'Instant messengers.'),
  list('photos', 'Addresses of photos, which are stored and not fetched.'),
  complex(
    'addresses',
    'Places: the locality of that of work is the location.',
    [
      text('formatted', 'The whole address.'),
      text('streetAddress', 'Street and number.'),
      text('locality', 'City.'),
      text('region', 'State.'),
      text('postalCode', 'Postal code.'),
      text('country', 'Country.'),
      text('type', 'The kind, such as work.'),
      boolean('primary', 'Whether it is the usual one.'),
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups of the person in this directory.',
    [
      text('value', 'The id of the group.', readOnly),
      text('$ref', 'Its address.', { ...reference(['Group']), ...readOnly }),
      text('display', 'Its name.', readOnly),
      text('type', 'Always direct.', readOnly),
    ],
    { multiValued: true, ...readOnly },
  ),
  list('entitlements', 'Entitlements, which are stored and give nothing.'),
  list('roles', 'Roles, which are stored and give nothing: groups do.'),
  list('x509Certificates', 'Certificates, which are stored.'),
];

const enterprise: Attribute[] = [
  text('employeeNumber', 'The employee number, unique in the company.'),
  text('costCenter', 'The cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', 'The department.'),
  complex('manager', 'The manager, who may come later.', [
    text('value', 'The id of the manager.'),
    text('$ref', 'The address of the manager.', reference(['User'])),
    text('displayName', 'The name of the manager.', readOnly),
  ]),
];

const group: Attribute[] = [
  text('displayName', 'The name, unique in the directory.', { required: true, uniqueness: 'server' }),
  complex(
    'members',
    'People of the directory.',
    [
      text('value', 'The id of the person.', { mutability: 'immutable' }),
      text('$ref', 'The address of the person.', { ...reference(['User']), mutability: 'immutable' }),
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
    schema(schemas.enterprise, 'EnterpriseUser', 'What a company says of a person', enterprise),
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
    filter: { supported: true, maxResults: maxResults },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Token of the directory',
        description: 'A bearer token, which an admin of the company makes and replaces.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${scimUrl}/ServiceProviderConfig` },
  };
}
