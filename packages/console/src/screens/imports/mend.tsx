/** What to do about the faults: the file is mended where it was made, and dropped here again. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Import, importQuery } from '../../api/imports.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { t } from '../../parts/words.ts';
import { DropFile } from './drop-file.tsx';
import { optionsOf } from './import-options.ts';
import { keptFile } from './kept-file.ts';

export function Mend({ company, job }: { company: string; job: Import }) {
  const options = keptFile(job.id)?.options ?? optionsOf(job);
  return (
    <section className="panel" aria-labelledby="mend">
      <h2 id="mend">{t('import.mend')}</h2>
      <ol className="steps">
        <li>
          <p>{t(job.error_report_url ? 'import.mend.cells' : 'import.mend.own')}</p>
          {job.error_report_url && <Report company={company} job={job} />}
          {job.restricted_fields && <p className="hint">{t('import.report.restricted')}</p>}
        </li>
        <li>
          <p>{t('import.mend.drop')}</p>
        </li>
      </ol>
      <DropFile company={company} label={t('import.mended')} options={options} before={job} />
    </section>
  );
}

/** Its address ends after a while, so each time there is a new one. */
function Report({ company, job }: { company: string; job: Import }) {
  const { refetch } = useQuery(importQuery(company, job.id));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => refetch({ throwOnError: true }),
    onSuccess: ({ data }) => data?.error_report_url && location.assign(data.error_report_url),
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        {t('import.report')}
      </Button>
      {error && <Problem error={error} />}
    </>
  );
}
