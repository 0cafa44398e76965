// Sunset dates, stability levels, and internal parts.
import { absent, type Edit, list, schemas } from './cases/case.ts';
import { compareEdits, edit, nickname, removed, requiredLevel } from './policy-edits.ts';

describe('lifecycle', () => {
  const removalOf = (parts: object) => edit(nickname, { type: 'string', ...parts }, absent);

  test.each<[string, object, string, string]>([
    [
      'deprecated, on its sunset date',
      { deprecated: true, 'x-sunset': '2027-01-31' },
      'removed-after-sunset',
      'after its sunset date',
    ],
    [
      'deprecated, a day before its sunset date',
      { deprecated: true, 'x-sunset': '2027-02-01' },
      'property-removed',
      'before its sunset date',
    ],
    [
      'never deprecated, after its sunset date',
      { 'x-sunset': '2026-01-01' },
      'property-removed',
      'was never deprecated',
    ],
    ['deprecated, without a sunset date', { deprecated: true }, 'property-removed', 'was removed'],
    [
      'deprecated, with an invalid sunset date',
      { deprecated: true, 'x-sunset': 'soon' },
      'property-removed',
      'was removed',
    ],
  ])('classifies the removal of a property: %s', async (_, parts, rule, text) => {
    const { findings } = await compareEdits([removalOf(parts)]);
    expect(findings).toEqual([expect.objectContaining({ rule, message: expect.stringContaining(text) })]);
  });

  const sunset = (before: unknown, after: unknown) => edit(`${list}/x-sunset`, before ?? absent, after);
  test.each<[unknown, unknown, number, string | undefined]>([
    ['2027-06-01', 'not a date', 0, 'sunset-unreadable'],
    [undefined, 'not a date', 0, 'sunset-unreadable'],
    ['not a date', '2027-06-01', 0, 'sunset-announced'],
    ['2027-06-01', '2027-06-01T00:00:00Z', 0, undefined],
    ['2027-06-01', '2027-06-01T00:00:01Z', 0, 'sunset-later'],
    ['2027-06-01', 'Tue, 01 Jun 2027 00:00:00 GMT', 0, undefined],
    ['2027-06-01', '2027-05-31', 0, 'sunset-earlier'],
    [undefined, '2027-03-02', 30, 'sunset-announced'],
    [undefined, '2027-03-01', 30, 'sunset-too-soon'],
    [undefined, '2027-02-30', 0, 'sunset-unreadable'],
  ])('classifies a change of the sunset date from %s to %s, with %d grace days', async (before, after, days, rule) => {
    const policy = { lifecycle: { 'grace-days': days } };
    const { findings } = await compareEdits([sunset(before, after)], { policy });
    expect(findings.map((finding) => finding.rule)).toEqual(rule === undefined ? [] : [rule]);
  });

  const editWith = (pointer: string, extension: object, before: object, after: object): Edit =>
    edit(pointer, { ...extension, ...before }, { ...extension, ...after });
  const withResponses = { responses: { '200': { description: 'Yes.' } } };
  const query = { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] };
  test.each<[string, object, string]>([
    ['draft', { 'x-stability-level': 'draft' }, 'none'],
    ['alpha', { 'x-stability-level': 'alpha' }, 'none'],
    ['beta', { 'x-stability-level': 'beta' }, 'major'],
    ['stable', { 'x-stability-level': 'stable' }, 'major'],
    ['internal', { 'x-internal': true }, 'none'],
    ['not internal', { 'x-internal': false }, 'major'],
  ])('sets the required bump of a breaking change by stability and visibility: %s', async (_, extension, level) => {
    const pointer = '/paths/~1new/get';
    expect(await requiredLevel([editWith(pointer, { ...extension, ...withResponses }, query, {})], {})).toBe(level);
    expect(await requiredLevel([edit('/paths/~1new', { get: { ...extension, ...withResponses } }, absent)], {})).toBe(
      level,
    );
  });

  test('allows removing an internal property, but not a property of a schema that it shares', async () => {
    const address = { $ref: '#/components/schemas/Address' };
    expect(await requiredLevel([edit(nickname, { type: 'string', 'x-internal': true }, absent)], {})).toBe('none');
    const inside = edit(`${schemas}/Address/properties/city`, { type: 'string' }, absent);
    const internal = { allOf: [address], 'x-internal': true };
    expect(await requiredLevel([edit(nickname, internal, internal), inside], {})).toBe('major');
  });

  test('applies `unstable-levels` and `unstable-at-most` of the policy', async () => {
    const change = editWith('/paths/~1new/get', { 'x-stability-level': 'beta', ...withResponses }, query, {});
    const lifecycle = { 'unstable-levels': ['beta'], 'unstable-at-most': 'patch' } as const;
    expect(await requiredLevel([change], { lifecycle })).toBe('patch');
  });

  test('treats a schema that a draft shares with a stable operation as stable', async () => {
    const draft = {
      'x-stability-level': 'draft',
      responses: {
        '200': {
          description: 'Yes.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Collaborator' } } },
        },
      },
    };
    expect(await requiredLevel([edit('/paths/~1a', { get: draft }, { get: draft }), removed], {})).toBe('major');
  });

  test.each<[object, object, string]>([
    [{}, { 'x-stability-level': 'beta' }, 'stability-lowered'],
    [{ 'x-stability-level': 'draft' }, { 'x-stability-level': 'stable' }, 'stability-raised'],
    [{}, { 'x-internal': true }, 'became-internal'],
    [{ 'x-internal': true }, {}, 'became-public'],
  ])('reports a change of the lifecycle from %j to %j', async (before, after, rule) => {
    const { findings } = await compareEdits([editWith('/paths/~1new/get', withResponses, before, after)]);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
  });
});
