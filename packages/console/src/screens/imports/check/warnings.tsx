/** Interpretations to review before committing. */
import type { Import } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { t } from '../../../parts/translate.ts';
import { storedFileFor } from '../file/uploaded-file.ts';
import { useCheck } from '../file/use-check.ts';

export function Warnings({ company, job }: { company: string; job: Import }) {
  const { warnings, encoding_guess: guess } = job;
  const guessed = job.columns.filter((column) => column.guessed);
  if (warnings.length + guessed.length === 0) return null;
  return (
    <section className="advice" aria-labelledby="warnings">
      <h2 id="warnings">{t`Check this before you import`}</h2>
      <ul>
        {guessed.map(({ column, header }) => (
          <li
            key={column}
          >{t`Column ${column}: “${header}” is similar to a field name, so it was matched. See below.`}</li>
        ))}
        {warnings.map(({ code, column, message }) => (
          <li key={`${code} ${column} ${message}`}>
            {column && `${t`Column ${column}`}: `}
            {message}
          </li>
        ))}
      </ul>
      {guess && <OtherEncoding company={company} job={job} other={guess.other_encoding} sample={guess.other_sample} />}
    </section>
  );
}

interface OtherProps {
  company: string;
  job: Import;
  other: string;
  sample: string;
}

function OtherEncoding({ company, job, other, sample }: OtherProps) {
  const stored = storedFileFor(job.id);
  const { mutate, isPending, error } = useCheck(company, job);
  if (!stored) return null;
  return (
    <>
      <Button busy={isPending} onClick={() => mutate({ ...stored, options: { ...stored.options, encoding: other } })}>
        {t`Read it as ${other}: “${sample}”`}
      </Button>
      {error && <Problem error={error} />}
    </>
  );
}
