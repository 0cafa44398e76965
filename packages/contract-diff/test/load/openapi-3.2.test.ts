// Additions of OpenAPI 3.2: methods, shared media types, streams.
import { compareContracts, type Result } from '../../src/verdict/compare-contracts.ts';

const object = (maxLength: number) => ({ type: 'object', properties: { name: { type: 'string', maxLength } } });
const response = (schema: unknown) => ({ description: 'All.', content: { 'application/json': { schema } } });
const document = (operation: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  paths: { '/things': { get: operation } },
  ...rest,
});

async function rulesAndWarnings(
  base: object,
  revised: object,
): Promise<Pick<Result, 'warnings'> & { rules: string[] }> {
  const { findings, warnings } = await compareContracts(base, revised);
  return { rules: findings.map(({ rule }) => rule), warnings };
}

describe('OpenAPI 3.2', () => {
  const withVersion32 = (parts: object): object => ({
    ...document({ responses: { '200': response(object(5)) } }),
    openapi: '3.2.0',
    ...parts,
  });

  test('compares the method QUERY and additional operations', async () => {
    const operation = { responses: { '200': response(object(5)) } };
    const plain = { get: operation };
    const more = { get: operation, query: operation, additionalOperations: { COPY: operation } };
    const { rules, warnings } = await rulesAndWarnings(
      withVersion32({ paths: { '/a': plain } }),
      withVersion32({ paths: { '/a': more } }),
    );
    expect({ rules, warnings }).toEqual({ rules: ['operation-added', 'operation-added'], warnings: [] });
    const back = await rulesAndWarnings(
      withVersion32({ paths: { '/a': more } }),
      withVersion32({ paths: { '/a': plain } }),
    );
    expect(back.rules).toEqual(['operation-removed', 'operation-removed']);
  });

  test('resolves media types in components', async () => {
    const shared = (schema: unknown) =>
      withVersion32({
        paths: {
          '/a': {
            get: {
              responses: { '200': { content: { 'application/json': { $ref: '#/components/mediaTypes/Thing' } } } },
            },
          },
        },
        components: { mediaTypes: { Thing: { schema } } },
      });
    const { rules, warnings } = await rulesAndWarnings(shared(object(5)), shared(object(6)));
    expect({ rules, warnings }).toEqual({ rules: ['limit-loosened'], warnings: [] });
  });

  test('compares the item schema of a stream', async () => {
    const stream = (schema: unknown) =>
      withVersion32({
        paths: {
          '/a': { get: { responses: { '200': { content: { 'application/jsonl': { itemSchema: schema } } } } } },
        },
      });
    const { rules } = await rulesAndWarnings(stream(object(5)), stream(object(6)));
    expect(rules).toEqual(['limit-loosened']);
  });
});
