// Random contracts with up to five random changes: what is required is known beforehand, and the way back mirrors it.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Bump, strictest } from '../../src/model/findings.ts';
import { compareContracts } from '../../src/verdict/compare-contracts.ts';
import { type Edit, edits } from './edits.ts';
import { documentOf, type Group, isAccepted, type Model, models } from './model.ts';

/** CONTRACT_DIFF_RUNS=20000 tries more, CONTRACT_DIFF_SEED the same again. */
const numRuns = Number(process.env.CONTRACT_DIFF_RUNS ?? 150);
const seed = process.env.CONTRACT_DIFF_SEED;
const settings = { numRuns, ...(seed !== undefined && { seed: Number(seed) }) };

/** Which change is made where; numbers beyond what there is begin anew. */
const choices = fc.array(fc.record({ edit: fc.nat(edits.length - 1), group: fc.nat(), field: fc.nat() }), {
  minLength: 0,
  maxLength: 5,
});
const changed = fc
  .tuple(models, choices)
  .map(([model, chosen]) => ({ model, ...applied(model, chosen) }))
  .filter(({ names, chosen }) => names.length > 0 || chosen === 0);

/** The model with its changes, at most one of each field, and what they ask for together. */
function applied(model: Model, chosen: readonly { edit: number; group: number; field: number }[]) {
  const taken = new Set<string>();
  const names: string[] = [];
  const levels: Record<'interface' | 'webhook_payload', Bump[]> = { interface: [], webhook_payload: [] };
  const after: Group[] = [...model];
  for (const { edit: number, group: groupNumber, field: fieldNumber } of chosen) {
    const at = groupNumber % model.length;
    const fields = model[at]!.fields;
    const name = fields[fieldNumber % Math.max(1, fields.length)]?.name;
    if (name === undefined || taken.has(`${at} ${name}`)) continue;
    const edit = edits[number]!;
    // Others may have gone meanwhile.
    const index = after[at]!.fields.findIndex((one) => one.name === name);
    const result = edit.apply(after[at]!, index);
    if (!result) continue;
    taken.add(`${at} ${name}`);
    after[at] = result;
    names.push(`${edit.name}: ${result.place} ${name}`);
    levels[result.place === 'webhook' ? 'webhook_payload' : 'interface'].push(levelOf(edit, result));
  }
  return { after, names, chosen: chosen.length, levels };
}

const levelOf = (edit: Edit, group: Group): Bump => (isAccepted(group) ? edit.accept : edit.emit);

describe('random contracts', () => {
  test('are judged as their changes are', async () => {
    await fc.assert(
      fc.asyncProperty(changed, async ({ model, after, levels }) => {
        const { verdicts, findings, notes } = await compareContracts(documentOf(model), documentOf(after));
        const own = strictest(levels.interface);
        const payload = strictest(levels.webhook_payload);
        expect([verdicts.interface.required, verdicts.webhook_payload.required]).toEqual([own, payload]);
        if (own === 'none' && payload === 'none') expect([...findings, ...notes]).toEqual([]);
      }),
      settings,
    );
  });

  test('are judged the other way round on the way back', async () => {
    await fc.assert(
      fc.asyncProperty(changed, async ({ model, after }) => {
        const [base, revised] = [documentOf(model), documentOf(after)];
        const forth = await compareContracts(base, revised);
        const back = await compareContracts(revised, base);
        const kinds = (result: typeof forth) => result.findings.map(({ rule }) => rule);
        expect(kinds(back).map(kindOf).sort()).toEqual(kinds(forth).map(mirrored).map(kindOf).sort());
      }),
      settings,
    );
  });
});

/** What a rule is on the way back. */
const mirrors: readonly (readonly [string, string])[] = [
  ['limit-loosened', 'limit-tightened'],
  ['null-allowed', 'null-refused'],
  ['enum-value-added', 'enum-value-removed'],
  ['property-added', 'property-removed'],
  ['parameter-added', 'parameter-removed'],
  ['property-became-required', 'property-became-optional'],
  ['became-required', 'became-optional'],
  ['property-renamed', 'property-renamed'],
  ['parameter-renamed', 'parameter-renamed'],
  ['type-changed', 'type-changed'],
  ['schema-loosened', 'schema-tightened'],
];
const mirrorOf = new Map(mirrors.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

/** Whether what is added is required plays no part on the way back. */
const kindOf = (rule: string): string => rule.replace(/^required-(property|parameter)-added$/, '$1-added');

function mirrored(rule: string): string {
  const mirror = mirrorOf.get(kindOf(rule));
  if (mirror === undefined) throw new Error(`${rule} has no mirror here`);
  return mirror;
}
