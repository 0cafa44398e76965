/** How to fix errors: correct the file at its source, and drop it here again. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Import, importQuery } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { HiddenField } from '../../../parts/hidden.tsx';
import { t } from '../../../parts/translate.ts';
import { DropFile } from '../file/drop-file.tsx';
import { optionsOf } from '../file/import-options.ts';
import { storedFileFor } from '../file/uploaded-file.ts';

export function FixCells({ company, job }: { company: string; job: Import }) {
  const options = storedFileFor(job.id)?.options ?? optionsOf(job);
  return (
    <section className="panel" aria-labelledby="mend">
      <h2 id="mend">{t`Fix the file`}</h2>
      <ol className="steps">
        <li>
          <p>
            {job.error_report_url
              ? t`Fix the cells in your own file, or in this one, which explains the errors in each row:`
              : t`Fix it in your spreadsheet.`}
          </p>
          {job.error_report_url && <Report company={company} job={job} />}
          {job.restricted_fields && (
            <HiddenField
              field="salary"
              company={company}
              fallback={<p className="hint">{t`The file has salaries that you can't read. Fix your own file.`}</p>}
            />
          )}
        </li>
        <li>
          <p>{t`Save it and drop it here. It's checked again with the same options.`}</p>
        </li>
      </ol>
      <DropFile company={company} label={t`The fixed file`} options={options} before={job} />
    </section>
  );
}

/** The URL expires, so request a new one each time. */
function Report({ company, job }: { company: string; job: Import }) {
  const { refetch } = useQuery(importQuery(company, job.id));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => refetch({ throwOnError: true }),
    onSuccess: ({ data }) => data?.error_report_url && location.assign(data.error_report_url),
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        {t`Download the file with its errors`}
      </Button>
      {error && <Problem error={error} />}
    </>
  );
}
