// Random contracts with up to five random edits: the required bump is known, and the reverse comparison mirrors it.
import fc from 'fast-check';
import { type Bump, type Scope, strictest } from '../../src/model/findings.ts';
import { compareContracts } from '../../src/verdict/compare-contracts.ts';
import { documentOf } from './document.ts';
import { fieldEdits } from './edits.ts';
import { kindOf, mirrored } from './mirrors.ts';
import { type Model, models } from './model.ts';
import { operationEdits } from './operation-edits.ts';
import { oracle } from './oracle.ts';
import { runs, timeoutMs } from './runs.ts';

const edits = [...fieldEdits, ...operationEdits];
/** Documents per test. */
const defaultRuns = 150;

/** Edits and their targets, modulo the number of choices. */
const choices = fc.array(fc.record({ edit: fc.nat(edits.length - 1), first: fc.nat(), second: fc.nat() }), {
  minLength: 0,
  maxLength: 5,
});
const changed = fc
  .tuple(models, choices)
  .map(([model, chosen]) => ({ model, ...applied(model, chosen) }))
  .filter(({ names, chosen }) => names.length > 0 || chosen === 0);

/** Applies edits, at most one per place, and returns the combined required bump. */
function applied(base: Model, chosen: readonly { edit: number; first: number; second: number }[]) {
  const editedLocations = new Set<string>();
  const names: string[] = [];
  const requiredBumps: Record<Scope, Bump[]> = { interface: [], webhook_payload: [] };
  let after = base;
  for (const { edit: number, first, second } of chosen) {
    const edit = edits[number]!;
    const edited = edit.apply(after, [first, second]);
    if (!edited || editedLocations.has(edited.place)) continue;
    editedLocations.add(edited.place);
    after = edited.model;
    names.push(`${edit.name}: ${edited.place}`);
    requiredBumps[edited.scope].push(edited.requiredBump);
  }
  const known = oracle(base, after);
  const levels = {
    interface: strictest([...requiredBumps.interface, known.interface]),
    webhook_payload: strictest([...requiredBumps.webhook_payload, known.webhook_payload]),
  };
  return { after, names, chosen: chosen.length, levels };
}

/** Rules that require nothing. */
const silent = new Set(['unused-schema-changed', 'edit-without-effect']);

describe('random contracts', () => {
  test(
    'are judged as their changes are',
    async () => {
      await fc.assert(
        fc.asyncProperty(changed, async ({ model, after, levels }) => {
          const { verdicts, findings, notes } = await compareContracts(documentOf(model), documentOf(after));
          expect({
            interface: verdicts.interface.required,
            webhook_payload: verdicts.webhook_payload.required,
          }).toEqual(levels);
          if (levels.interface === 'none' && levels.webhook_payload === 'none')
            // A change in an unused named list is reported, but requires nothing.
            expect([...findings, ...notes].filter(({ rule }) => !silent.has(rule))).toEqual([]);
        }),
        runs(defaultRuns),
      );
    },
    timeoutMs(defaultRuns),
  );

  test(
    'are judged the other way round on the way back',
    async () => {
      await fc.assert(
        fc.asyncProperty(changed, async ({ model, after }) => {
          const [base, revised] = [documentOf(model), documentOf(after)];
          const forth = await compareContracts(base, revised);
          const back = await compareContracts(revised, base);
          const kinds = (result: typeof forth) => result.findings.map(({ rule }) => rule);
          expect(kinds(back).map(kindOf).sort()).toEqual(kinds(forth).map(mirrored).sort());
        }),
        runs(defaultRuns),
      );
    },
    timeoutMs(defaultRuns),
  );
});
