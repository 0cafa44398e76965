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

describe('a change of our contract', () => {
  test.each<[string, readonly string[], unknown, unknown, Level]>([
    ['an operation is added', ['paths', '/v1/ping'], undefined, { get: operation }, 'minor'],
    ['an operation is removed', ['paths', '/v1/ping'], { get: operation }, undefined, 'major'],
    ['a field of a response is added', field, undefined, text, 'minor'],
    ['a field of a response is removed', field, text, undefined, 'major'],
    ['a field is removed after its announced end', field, deprecated, undefined, 'major'],
    ['something is deprecated', [...list, 'deprecated'], undefined, true, 'minor'],
    ['a type changes', field, text, { type: 'integer' }, 'major'],
    ['a format changes, even for the better', field, text, { ...text, format: 'uuid' }, 'major'],
    [
      'a format changes that only generators read',
      field,
      { type: 'integer' },
      { type: 'integer', format: 'int64' },
      'major',
    ],
    ['a default of a response changes', field, { ...text, default: 'a' }, { ...text, default: 'b' }, 'major'],
    ['a unit changes', field, { ...text, 'x-unit': 'm' }, { ...text, 'x-unit': 'km' }, 'major'],
    ['a field of a response may be null', field, text, { type: ['string', 'null'] }, 'major'],
    ['a field of a response is never null', field, { type: ['string', 'null'] }, text, 'minor'],
    ['a value of a closed list is added', field, { enum: ['a'] }, { enum: ['a', 'b'] }, 'major'],
    [
      'a value of an open list is added',
      field,
      { ...text, 'x-extensible-enum': ['a'] },
      { ...text, 'x-extensible-enum': ['a', 'b'] },
      'minor',
    ],
    ['words change', [...list, 'description'], 'One.', 'Another.', 'undecided'],
    ['an extension changes that nobody knows', [...list, 'x-shape'], 1, 2, 'undecided'],
    ['what null does changes', field, { ...text, 'x-clearable': true }, text, 'major'],
    ['the server looks in another table', [...list, 'x-resource'], { table: 'a' }, { table: 'b' }, 'none'],
    ['an example changes', field, { ...text, examples: ['a'] }, { ...text, examples: ['b'] }, 'patch'],
    ['an end is announced less than a year before', [...list, 'x-sunset'], undefined, '2028-01-30', 'major'],
    ['an end is announced a year before', [...list, 'x-sunset'], undefined, '2028-01-31', 'minor'],
  ])('%s', async (_, keys, before, after, level) => {
    expect(await required(keys, before, after)).toBe(level);
  });
});
