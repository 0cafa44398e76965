// Random contracts with up to five random edits: the required bump is known, and the reverse comparison has the reverse findings.
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
/** Pairs of documents per test. */
const defaultRuns = 20;

/** Edits, and numbers that select their targets. */
const editChoices = fc.array(fc.record({ edit: fc.nat(edits.length - 1), first: fc.nat(), second: fc.nat() }), {
  minLength: 0,
  maxLength: 5,
});
const changed = fc
  .tuple(models, editChoices)
  .map(([model, choices]) => ({ model, ...applyEdits(model, choices) }))
  .filter(({ names, choiceCount }) => names.length > 0 || choiceCount === 0);

/** Applies edits, at most one per place, and returns the combined required bump. */
function applyEdits(base: Model, choices: readonly { edit: number; first: number; second: number }[]) {
  const editedLocations = new Set<string>();
  const names: string[] = [];
  const requiredBumps: Record<Scope, Bump[]> = { interface: [], webhook_payload: [] };
  let after = base;
  for (const { edit: number, first, second } of choices) {
    const edit = edits[number]!;
    const edited = edit.apply(after, [first, second]);
    if (!edited || editedLocations.has(edited.place)) continue;
    editedLocations.add(edited.place);
    after = edited.model;
    names.push(`${edit.name}: ${edited.place}`);
    requiredBumps[edited.scope].push(edited.requiredBump);
  }
  const derived = oracle(base, after);
  const levels = {
    interface: strictest([...requiredBumps.interface, derived.interface]),
    webhook_payload: strictest([...requiredBumps.webhook_payload, derived.webhook_payload]),
  };
  return { after, names, choiceCount: choices.length, levels };
}

/** Rules that never require a bump. */
const ignoredRules = new Set(['unused-schema-changed', 'edit-without-effect']);

describe('random contracts', () => {
  test(
    'have the verdict of their edits',
    async () => {
      await fc.assert(
        fc.asyncProperty(changed, async ({ model, after, levels }) => {
          const { verdicts, findings, notes } = await compareContracts(documentOf(model), documentOf(after));
          expect({
            interface: verdicts.interface.required,
            webhook_payload: verdicts.webhook_payload.required,
          }).toEqual(levels);
          if (levels.interface === 'none' && levels.webhook_payload === 'none')
            // A change in an unused named list is reported, but needs no bump.
            expect([...findings, ...notes].filter(({ rule }) => !ignoredRules.has(rule))).toEqual([]);
        }),
        runs(defaultRuns),
      );
    },
    timeoutMs(defaultRuns),
  );

  test(
    'have the reverse findings when compared in reverse',
    async () => {
      await fc.assert(
        fc.asyncProperty(changed, async ({ model, after }) => {
          const [base, revised] = [documentOf(model), documentOf(after)];
          const forward = await compareContracts(base, revised);
          const backward = await compareContracts(revised, base);
          const kinds = (result: typeof forward) => result.findings.map(({ rule }) => rule);
          expect(kinds(backward).map(kindOf).sort()).toEqual(kinds(forward).map(mirrored).sort());
        }),
        runs(defaultRuns),
      );
    },
    timeoutMs(defaultRuns),
  );
});
