// Announced removals, and unreleased parts.
import { absent, type Edit, list, schemas } from './cases/case.ts';
import { compared, edit, nickname, removed, required } from './policy-edits.ts';

describe('what ends and begins', () => {
  const ended = (parts: object) => edit(nickname, { type: 'string', ...parts }, absent);

  test.each<[string, object, string, string]>([
    [
      'deprecated, and the day is over',
      { deprecated: true, 'x-sunset': '2027-01-31' },
      'removed-after-sunset',
      'after its sunset date',
    ],
    [
      'deprecated, and the day is to come',
      { deprecated: true, 'x-sunset': '2027-02-01' },
      'property-removed',
      'before its sunset date',
    ],
    ['never deprecated', { 'x-sunset': '2026-01-01' }, 'property-removed', 'was never deprecated'],
    ['without a day', { deprecated: true }, 'property-removed', 'was removed'],
    ['with a day that is none', { deprecated: true, 'x-sunset': 'soon' }, 'property-removed', 'was removed'],
  ])('a property is removed that was %s', async (_, parts, rule, text) => {
    const { findings } = await compared([ended(parts)]);
    expect(findings).toEqual([expect.objectContaining({ rule, message: expect.stringContaining(text) })]);
  });

  const sunset = (before: unknown, after: unknown) => edit(`${list}/x-sunset`, before, after);
  test.each<[unknown, unknown, number, string | undefined]>([
    ['2027-06-01', 'not a date', 0, 'sunset-unreadable'],
    [absent, 'not a date', 0, 'sunset-unreadable'],
    ['not a date', '2027-06-01', 0, 'sunset-announced'],
    ['2027-06-01', '2027-06-01T00:00:00Z', 0, undefined],
    ['2027-06-01', '2027-06-01T00:00:01Z', 0, 'sunset-later'],
    ['2027-06-01', 'Tue, 01 Jun 2027 00:00:00 GMT', 0, undefined],
    ['2027-06-01', '2027-05-31', 0, 'sunset-earlier'],
    [absent, '2027-03-02', 30, 'sunset-announced'],
    [absent, '2027-03-01', 30, 'sunset-too-soon'],
    [absent, '2027-02-30', 0, 'sunset-unreadable'],
  ])('an end goes from %s to %s, with %d days of grace', async (before, after, days, rule) => {
    const policy = { lifecycle: { 'grace-days': days } };
    const { findings } = await compared([sunset(before, after)], { policy });
    expect(findings.map((finding) => finding.rule)).toEqual(rule === undefined ? [] : [rule]);
  });

  const marked = (pointer: string, mark: object, before: object, after: object): Edit =>
    edit(pointer, { ...mark, ...before }, { ...mark, ...after });
  const withResponses = { responses: { '200': { description: 'Yes.' } } };
  const query = { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] };
  test.each<[string, object, string]>([
    ['a draft', { 'x-stability-level': 'draft' }, 'none'],
    ['alpha', { 'x-stability-level': 'alpha' }, 'none'],
    ['beta', { 'x-stability-level': 'beta' }, 'major'],
    ['stable', { 'x-stability-level': 'stable' }, 'major'],
    ['internal', { 'x-internal': true }, 'none'],
    ['not internal', { 'x-internal': false }, 'major'],
  ])('a break of something that is %s', async (_, mark, level) => {
    const pointer = '/paths/~1new/get';
    expect(await required([marked(pointer, { ...mark, ...withResponses }, query, {})], {})).toBe(level);
    expect(await required([edit('/paths/~1new', { get: { ...mark, ...withResponses } }, absent)], {})).toBe(level);
  });

  test('a property that is internal may go, and what it shares with others may not', async () => {
    const address = { $ref: '#/components/schemas/Address' };
    expect(await required([edit(nickname, { type: 'string', 'x-internal': true }, absent)], {})).toBe('none');
    const inside = edit(`${schemas}/Address/properties/city`, { type: 'string' }, absent);
    const internal = { allOf: [address], 'x-internal': true };
    expect(await required([edit(nickname, internal, internal), inside], {})).toBe('major');
  });

  test('the policy says what promises nothing, and what that asks for at most', async () => {
    const change = marked('/paths/~1new/get', { 'x-stability-level': 'beta', ...withResponses }, query, {});
    const lifecycle = { 'unstable-levels': ['beta'], 'unstable-at-most': 'patch' } as const;
    expect(await required([change], { lifecycle })).toBe('patch');
  });

  test('what a draft shares with something stable is promised', async () => {
    const draft = {
      'x-stability-level': 'draft',
      responses: {
        '200': {
          description: 'Yes.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Collaborator' } } },
        },
      },
    };
    expect(await required([edit('/paths/~1a', { get: draft }, { get: draft }), removed], {})).toBe('major');
  });

  test.each<[object, object, string]>([
    [{}, { 'x-stability-level': 'beta' }, 'stability-lowered'],
    [{ 'x-stability-level': 'draft' }, { 'x-stability-level': 'stable' }, 'stability-raised'],
    [{}, { 'x-internal': true }, 'became-internal'],
    [{ 'x-internal': true }, {}, 'became-public'],
  ])('from %j to %j', async (before, after, rule) => {
    const { findings } = await compared([marked('/paths/~1new/get', withResponses, before, after)]);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
  });
});
