// Operation filters, failure thresholds, and their messages.
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
const compared = async (options: Options) => {
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
])('%j', async (options, operations) => {
  const found = await compared(options);
  expect(found.operations).toEqual(operations);
  expect(found.notices).toContain(`The filters leave ${operations.length} of 3 operations to compare.`);
});

test('compares an operation that exists on one side, if that side matches', async () => {
  const { paths, ...rest } = document(5, 5, 5);
  const { '/pets/{id}': _, ...others } = paths;
  const { findings } = await compareContracts({ ...rest, paths }, { ...rest, paths: others }, { only: ['tag=pets'] });
  expect(findings.map(({ rule }) => rule)).toEqual(['operation-removed']);
});

test.each(['path', 'tag=', 'size=5', ''])('%j isn’t a filter', async (filter) => {
  await expect(compared({ only: [filter] })).rejects.toThrow('is no filter: write path=GLOB');
});

test('a filter that matches nothing is an error: a misspelled one must not look like a passed check', async () => {
  await expect(compared({ only: ['tag=pest'] })).rejects.toThrow('The filter tag=pest matches no operation');
  await expect(compared({ except: ['path=/nothing'] })).rejects.toThrow(
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
  ])('%s: a breaking change passes: %s, an addition passes: %s', async (failOn, breakPasses, newPasses) => {
    const broken = await compareContracts(document(5, 5, 5), document(6, 5, 5), { failOn });
    expect({ ok: broken.ok, blocking: broken.blocking.length }).toEqual({
      ok: breakPasses,
      blocking: breakPasses ? 0 : 1,
    });
    expect((await compareContracts(document(5, 5, 5), deprecated, { failOn })).ok).toBe(newPasses);
  });
});

test('a policy can change messages', async () => {
  const policy = { messages: { 'limit-loosened': '{}. Ask #api first' } } as const;
  const { findings } = await compareContracts(document(5, 5, 5), document(6, 5, 5), { policy });
  expect(findings.map(({ message }) => message)).toEqual([
    'GET /pets/{id} (getPet), response 200, application/json: maxLength changed from 5 to 6. Ask #api first',
  ]);
  const wrong = compareContracts(document(5, 5, 5), document(6, 5, 5), {
    policy: { messages: { nothing: 'a' } } as never,
  });
  await expect(wrong).rejects.toThrow('there is no rule "nothing"');
});
