/** What became of the rows of a file, or would. */
import type { Import } from '../../api/imports.ts';
import { t } from '../../parts/words.ts';

const outcomes = ['created', 'updated', 'unchanged', 'failed', 'skipped'] as const;

type Outcome = (typeof outcomes)[number];

/** Those that there are; of a file that was only checked as what would be. */
function countsOf({ counts, dry_run }: Import): { name: Outcome; count: number; text: string }[] {
  return outcomes
    .filter((name) => counts[name] > 0)
    .map((name) => {
      const count = counts[name];
      const is_to_be = dry_run && (name === 'created' || name === 'updated');
      return { name, count, text: t(is_to_be ? `import.to-be.${name}` : `import.count.${name}`, { count }) };
    });
}

/** For example `118 added, 2 with faults`. */
export function countsInWords(job: Import): string {
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
