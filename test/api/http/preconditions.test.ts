import { expectedTags, isUnmodified, unlessKnown } from '../../../src/api/http/preconditions.ts';

test('If-Match: any version, or those that it names, weak ones as they are', () => {
  expect(expectedTags(undefined)).toBeUndefined();
  expect(expectedTags(' * ')).toBeUndefined();
  expect(expectedTags('"a", W/"b"')).toEqual(['"a"', 'W/"b"']);
  expect(expectedTags('nonsense')).toEqual([]);
});

test.each([
  [undefined, false],
  ['*', true],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b"', false],
  ['a', false],
])('If-None-Match: %s', (header, unmodified) => {
  expect(isUnmodified(header, '"a"')).toBe(unmodified);
});

test('304 in place of what the caller has, where the contract declares it', () => {
  const reply = { status: 200, headers: { ETag: '"a"' }, body: {} };
  const asked = (header: string, statuses: number[]) =>
    unlessKnown(
      {
        headers: { 'if-none-match': header },
        operation: { answers: new Map(statuses.map((one) => [one, undefined])) },
      } as never,
      reply,
    );
  expect(asked('"a"', [200, 304])).toEqual({ status: 304, headers: { ETag: '"a"' } });
  expect(asked('"b"', [200, 304])).toBe(reply);
  expect(asked('"a"', [200])).toBe(reply);
});
