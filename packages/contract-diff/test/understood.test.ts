// Unsupported input is reported, whether in a document or passed by a program.
import { compareContracts, type Options } from '../src/verdict/compare-contracts.ts';

const document = (operation: object, path = '/things') => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  paths: { [path]: { get: { responses: { '204': { description: 'Yes.' } }, ...operation } } },
});

describe('a value that is not understood is a warning', () => {
  test.each<[string, object, RegExp]>([
    [
      'a misspelled stability level',
      { 'x-stability-level': 'betta' },
      /"betta" is no stability level and counts as stable; the levels are draft, /,
    ],
    [
      'an internal thing that is not true or false',
      { 'x-internal': 'yes' },
      /"yes" must be true or false, and is ignored$/,
    ],
    ['an end that is no day', { 'x-sunset': 'soon' }, /"soon" is no day or time, and is ignored$/],
    ['a former name that is none', { 'x-renamed-from': 5 }, /5 must be a name or a list of names, and is ignored$/],
  ])('%s', async (_, operation, expectedMessage) => {
    const { warnings } = await compareContracts(document({}), document(operation));
    expect(warnings).toEqual([expect.stringMatching(expectedMessage)]);
  });

  test('a level that the policy knows is understood', async () => {
    const policy = { lifecycle: { 'unstable-levels': ['sketch'] } };
    const { warnings } = await compareContracts(document({}), document({ 'x-stability-level': 'sketch' }), { policy });
    expect(warnings).toEqual([]);
  });

  test('a parameter that is not in its path', async () => {
    const at = (name: string) => ({ parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] });
    const warningsOf = async (path: string, name: string) =>
      (await compareContracts(document(at('id'), '/things/{id}'), document(at(name), path))).warnings;
    expect(await warningsOf('/things/{id}', 'id')).toEqual([]);
    expect(await warningsOf('/things/{id}', 'thing_id')).toEqual([
      expect.stringMatching(/`thing_id` isn't in the path \/things\/\{id\}, and is taken for \{id\}$/),
    ]);
    expect(await warningsOf('/things', 'id')).toEqual([
      expect.stringMatching(/`id` isn't in the path \/things, so no request has it$/),
    ]);
  });
});

describe('an option that is not understood is an error', () => {
  test.each<[object, string]>([
    [{ single: true }, 'There is no option `single`'],
    [{ atmost: 'minor' }, 'There is no option `atmost`'],
    [{ atMost: 'huge' }, '`atMost` must be one of none, patch, minor, major'],
    [{ failOn: 'none' }, '`failOn` must be one of patch, '],
    [{ failOn: 'major', atMost: 'minor' }, 'say the same'],
    [{ singleVersion: 'yes' }, '`singleVersion` must be true or false'],
    [{ only: 'tag=a' }, '`only` must be a list of filters'],
    [{ sources: { maxbytes: 5 } }, 'There is no option `sources.maxbytes`'],
    [{ sources: { maxBytes: '5' } }, '`sources.maxBytes` must be a number above 0'],
  ])('%j', async (options, expectedMessage) => {
    const compared = compareContracts(document({}), document({}), options as Options);
    await expect(compared).rejects.toThrow(TypeError);
    await expect(compared).rejects.toThrow(expectedMessage);
  });

  test('an option without a value is none', async () => {
    const options = { policy: undefined, failOn: undefined } as unknown as Options;
    expect((await compareContracts(document({}), document({}), options)).ok).toBe(true);
  });
});
