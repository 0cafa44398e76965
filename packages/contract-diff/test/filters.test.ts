// Filters of operations, failure thresholds, and custom messages.
import { compareContracts, type Options } from '../src/verdict/compare-contracts.ts';

const operation = (maxLength: number, more: object) => ({
  ...more,
  responses: { '200': { content: { 'application/json': { schema: { type: 'string', maxLength } } } } },
});
/** Three operations; each responds with a string of this maximum length. */
const document = (pets: number, shops: number, draft: number) => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  paths: {
    '/pets/{id}': { get: operation(pets, { operationId: 'getPet', tags: ['pets'] }) },
    '/shops': { get: operation(shops, { operationId: 'listShops', tags: ['shops'], 'x-team': ['sales', 'web'] }) },
    '/drafts': { 'x-stability-level': 'beta', get: operation(draft, {}) },
  },
});
const compareFiltered = async (options: Options) => {
  const { findings, notices } = await compareContracts(document(5, 5, 5), document(6, 6, 6), options);
  return { operations: findings.flatMap((one) => one.operations).sort(), notices };
};

const [drafts, pets, shops] = ['GET /drafts', 'GET /pets/{id} (getPet)', 'GET /shops (listShops)'];

test.each<[Options, (string | undefined)[]]>([
  [{ only: ['path=/pets/**'] }, [pets]],
  [{ only: ['path=/*'] }, [drafts, shops]],
  [{ only: ['tag=pets', 'tag=shops'] }, [pets, shops]],
  [{ only: ['operation=listShops'] }, [shops]],
  [{ only: ['x-stability-level=beta'] }, [drafts]],
  [{ only: ['stability=stable'] }, [pets, shops]],
  [{ except: ['stability=stable'] }, [drafts]],
  [{ only: ['x-team=web'] }, [shops]],
  [{ except: ['x-team'] }, [drafts, pets]],
  [{ only: ['path=/**'], except: ['tag=pets'] }, [drafts, shops]],
])('compares only the operations that match %j', async (options, operations) => {
  const found = await compareFiltered(options);
  expect(found.operations).toEqual(operations);
  expect(found.notices).toContain(`The filters leave ${operations.length} of 3 operations to compare.`);
});

test('compares an operation of one document if it matches there', async () => {
  const { paths, ...rest } = document(5, 5, 5);
  const { '/pets/{id}': _, ...others } = paths;
  const { findings } = await compareContracts({ ...rest, paths }, { ...rest, paths: others }, { only: ['tag=pets'] });
  expect(findings.map(({ rule }) => rule)).toEqual(['operation-removed']);
});

test.each(['path', 'tag=', 'size=5', ''])('rejects the invalid filter %j', async (filter) => {
  await expect(compareFiltered({ only: [filter] })).rejects.toThrow('is no filter: write path=GLOB');
});

// A misspelled filter must not look like a passed check.
test('rejects a filter that matches no operation', async () => {
  await expect(compareFiltered({ only: ['tag=pest'] })).rejects.toThrow('The filter tag=pest matches no operation');
  await expect(compareFiltered({ except: ['path=/nothing'] })).rejects.toThrow(
    'The filter path=/nothing matches no operation',
  );
});

describe('failOn', () => {
  const deprecated = { ...document(5, 5, 5) };
  deprecated.paths = {
    ...deprecated.paths,
    '/shops': { get: { ...deprecated.paths['/shops'].get, deprecated: true } as never },
  };
  test.each<[NonNullable<Options['failOn']>, boolean, boolean]>([
    ['patch', false, false],
    ['minor', false, false],
    ['undecided', false, true],
    ['major', false, true],
    ['error', true, true],
  ])('threshold %s passes breaking changes: %s, deprecations: %s', async (failOn, breakPasses, deprecationPasses) => {
    const broken = await compareContracts(document(5, 5, 5), document(6, 5, 5), { failOn });
    expect({ ok: broken.ok, blocking: broken.blocking.length }).toEqual({
      ok: breakPasses,
      blocking: breakPasses ? 0 : 1,
    });
    expect((await compareContracts(document(5, 5, 5), deprecated, { failOn })).ok).toBe(deprecationPasses);
  });
});

test('applies custom messages of a policy, and rejects unknown rules', async () => {
  const policy = { messages: { 'limit-loosened': '{}. Ask #api first' } } as const;
  const { findings } = await compareContracts(document(5, 5, 5), document(6, 5, 5), { policy });
  expect(findings.map(({ message }) => message)).toEqual([
    'GET /pets/{id} (getPet), response 200, application/json: maxLength changed from 5 to 6. Ask #api first',
  ]);
  const invalid = compareContracts(document(5, 5, 5), document(6, 5, 5), {
    policy: { messages: { nothing: 'a' } } as never,
  });
  await expect(invalid).rejects.toThrow('there is no rule "nothing"');
});
