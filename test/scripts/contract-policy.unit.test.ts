// The contract's diff policy requires the versions that docs/guides/versions.md promises.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareContracts, type Level } from '@collaborator-api/openapi-contract-diff';

const policy = fileURLToPath(new URL('../../openapi/contract-policy.yaml', import.meta.url));
const text = { type: 'string' };
type Json = Record<string, unknown>;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-policy-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A small contract with a value at a path of keys; undefined removes it. */
function contractWith(keys: readonly string[], value: unknown): Json {
  const schema = { $ref: '#/components/schemas/Collaborator' };
  const responses = { '200': { description: 'All of them.', content: { 'application/json': { schema } } } };
  const contract: Json = {
    openapi: '3.1.0',
    info: { title: 'Collaborators', version: '1.0.0' },
    paths: { '/v1/collaborators': { get: { operationId: 'list', tags: ['collaborators'], responses } } },
    components: { schemas: { Collaborator: { type: 'object', properties: { id: text } } } },
  };
  const last = keys.at(-1)!;
  const parent = keys.slice(0, -1).reduce<Json>((node, key) => node[key] as Json, contract);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return contract;
}

async function required(keys: readonly string[], before: unknown, after: unknown): Promise<Level> {
  const [base, revised] = [join(folder, 'base.json'), join(folder, 'revised.json')];
  await writeFile(base, JSON.stringify(contractWith(keys, before)));
  await writeFile(revised, JSON.stringify(contractWith(keys, after)));
  const { verdicts } = await compareContracts(base, revised, { policy, today: '2027-01-31' });
  return verdicts.interface.required;
}

const list = ['paths', '/v1/collaborators', 'get'];
const field = ['components', 'schemas', 'Collaborator', 'properties', 'nickname'];
const operation = { operationId: 'ping', tags: ['collaborators'], responses: { '204': { description: 'Yes.' } } };
const deprecated = { ...text, deprecated: true, 'x-sunset': '2027-01-01' };

describe('a contract change', () => {
  test.each<[string, readonly string[], unknown, unknown, Level]>([
    ['an operation is added', ['paths', '/v1/ping'], undefined, { get: operation }, 'minor'],
    ['an operation is removed', ['paths', '/v1/ping'], { get: operation }, undefined, 'major'],
    ['a response field is added', field, undefined, text, 'minor'],
    ['a response field is removed', field, text, undefined, 'major'],
    ['a deprecated field is removed after its sunset date', field, deprecated, undefined, 'major'],
    ['an operation is deprecated', [...list, 'deprecated'], undefined, true, 'minor'],
    ['the type of a field changes', field, text, { type: 'integer' }, 'major'],
    ['a format is added to a string', field, text, { ...text, format: 'uuid' }, 'major'],
    [
      'a format that only affects generated code is added',
      field,
      { type: 'integer' },
      { type: 'integer', format: 'int64' },
      'major',
    ],
    ['the default of a response field changes', field, { ...text, default: 'a' }, { ...text, default: 'b' }, 'major'],
    ['the unit of a field changes', field, { ...text, 'x-unit': 'm' }, { ...text, 'x-unit': 'km' }, 'major'],
    ['a response field becomes nullable', field, text, { type: ['string', 'null'] }, 'major'],
    ['a response field is no longer nullable', field, { type: ['string', 'null'] }, text, 'minor'],
    ['a value is added to an enum', field, { enum: ['a'] }, { enum: ['a', 'b'] }, 'major'],
    [
      'a value is added to an extensible enum',
      field,
      { ...text, 'x-extensible-enum': ['a'] },
      { ...text, 'x-extensible-enum': ['a', 'b'] },
      'minor',
    ],
    ['a description changes', [...list, 'description'], 'One.', 'Another.', 'undecided'],
    ['an unknown extension changes', [...list, 'x-shape'], 1, 2, 'undecided'],
    ['`x-clearable: false` is added to a field', field, text, { ...text, 'x-clearable': false }, 'major'],
    ['the database table of an operation changes', [...list, 'x-resource'], { table: 'a' }, { table: 'b' }, 'none'],
    ['an example changes', field, { ...text, examples: ['a'] }, { ...text, examples: ['b'] }, 'patch'],
    ['a sunset date less than a year away is announced', [...list, 'x-sunset'], undefined, '2028-01-30', 'major'],
    ['a sunset date a year away is announced', [...list, 'x-sunset'], undefined, '2028-01-31', 'minor'],
  ])('requires the promised version: %s', async (_, keys, before, after, level) => {
    expect(await required(keys, before, after)).toBe(level);
  });
});
