/** Row counts of an import or a dry run. */
import type { Import } from '../../../api/imports.ts';
import { number } from '../../../parts/format.ts';
import { t, tn } from '../../../parts/translate.ts';

const outcomes = ['created', 'updated', 'unchanged', 'failed', 'skipped'] as const;

/** Texts of a dry run. */
const planned = (count: number) => ({
  ...outcomeTexts(count),
  created: t`${number(count)} to be added`,
  updated: t`${number(count)} to be changed`,
});

const outcomeTexts = (count: number) => ({
  created: tn(count, t`${number(count)} person added`, t`${number(count)} people added`),
  updated: tn(count, t`${number(count)} person changed`, t`${number(count)} people changed`),
  unchanged: t`${number(count)} already up to date`,
  failed: t`${number(count)} with errors`,
  skipped: t`${number(count)} skipped`,
});

type Outcome = (typeof outcomes)[number];

/** Non-zero counts, worded as a plan for a dry run. */
function countsOf({ counts, dry_run: dryRun }: Import): { name: Outcome; count: number; text: string }[] {
  return outcomes
    .filter((name) => counts[name] > 0)
    .map((name) => {
      const count = counts[name];
      return { name, count, text: (dryRun ? planned : outcomeTexts)(count)[name] };
    });
}

/** For example `118 people added, 2 with errors`. */
export function countsText(job: Import): string {
  return countsOf(job)
    .map(({ text }) => text)
    .join(', ');
}

export function Counts({ job }: { job: Import }) {
  return (
    <ul className="counts">
      {countsOf(job).map(({ name, text }) => (
        <li key={name} className={name === 'failed' ? 'bad' : undefined}>
          {text}
        </li>
      ))}
    </ul>
  );
}
