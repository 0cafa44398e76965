// Unsupported values: warnings in a document, errors in the options of the library.
import { compareContracts, type Options } from '../src/verdict/compare-contracts.ts';

const document = (operation: object, path = '/things') => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  paths: { [path]: { get: { responses: { '204': { description: 'Yes.' } }, ...operation } } },
});

describe('unsupported value in a document', () => {
  test.each<[string, object, RegExp]>([
    [
      'a misspelled stability level',
      { 'x-stability-level': 'betta' },
      /"betta" is no stability level and counts as stable; the levels are draft, /,
    ],
    ['`x-internal` that is not a boolean', { 'x-internal': 'yes' }, /"yes" must be true or false, and is ignored$/],
    ['`x-sunset` that is not a date', { 'x-sunset': 'soon' }, /"soon" is no day or time, and is ignored$/],
    [
      '`x-renamed-from` that is not a name',
      { 'x-renamed-from': 5 },
      /5 must be a name or a list of names, and is ignored$/,
    ],
  ])('causes a warning: %s', async (_, operation, expectedMessage) => {
    const { warnings } = await compareContracts(document({}), document(operation));
    expect(warnings).toEqual([expect.stringMatching(expectedMessage)]);
  });

  test('is accepted if the policy defines it as a stability level', async () => {
    const policy = { lifecycle: { 'unstable-levels': ['sketch'] } };
    const { warnings } = await compareContracts(document({}), document({ 'x-stability-level': 'sketch' }), { policy });
    expect(warnings).toEqual([]);
  });

  test('causes a warning if it is a path parameter that is not in the path', async () => {
    const withPathParameter = (name: string) => ({
      parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
    });
    const warningsOf = async (path: string, name: string) =>
      (
        await compareContracts(
          document(withPathParameter('id'), '/things/{id}'),
          document(withPathParameter(name), path),
        )
      ).warnings;
    expect(await warningsOf('/things/{id}', 'id')).toEqual([]);
    expect(await warningsOf('/things/{id}', 'thing_id')).toEqual([
      expect.stringMatching(/`thing_id` isn't in the path \/things\/\{id\}, and is taken for \{id\}$/),
    ]);
    expect(await warningsOf('/things', 'id')).toEqual([
      expect.stringMatching(/`id` isn't in the path \/things, so no request has it$/),
    ]);
  });
});

describe('unsupported option', () => {
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
  ])('is rejected: %j', async (options, expectedMessage) => {
    const compared = compareContracts(document({}), document({}), options as Options);
    await expect(compared).rejects.toThrow(TypeError);
    await expect(compared).rejects.toThrow(expectedMessage);
  });

  test('is ignored if its value is undefined', async () => {
    const options = { policy: undefined, failOn: undefined } as unknown as Options;
    expect((await compareContracts(document({}), document({}), options)).ok).toBe(true);
  });
});
