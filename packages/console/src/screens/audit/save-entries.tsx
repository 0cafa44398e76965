/** Downloads all filtered entries: reads page by page, and builds the file in the browser. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AuditFilters } from '../../api/audit-filters.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { saveFile } from '../../parts/save-file.ts';
import { t, tn } from '../../parts/translate.ts';
import { entriesOf, type FileForm, fileOf } from './entry-file.ts';

interface SaveProps {
  company: string;
  filters: AuditFilters;
  onClose(): void;
}

export function SaveEntries({ company, filters, onClose }: SaveProps) {
  const [form, setForm] = useState<FileForm>('csv');
  const [count, setCount] = useState(0);
  const stop = useRef(new AbortController());
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      setCount(0);
      stop.current = new AbortController();
      const entries = await entriesOf(company, filters, setCount, stop.current.signal);
      if (entries) saveFile(await fileOf(entries, form), `audit-log-${new Date().toISOString().slice(0, 10)}.${form}`);
    },
  });
  const close = () => {
    stop.current.abort();
    onClose();
  };
  return (
    <Dialog
      open
      title={t`Save to a file`}
      about={t`Saves all entries that match the filters, including those that aren't loaded yet.`}
      onClose={close}
    >
      <label className="field short">
        <span>{t`File format`}</span>
        <select value={form} disabled={isPending} onChange={({ target }) => setForm(target.value as FileForm)}>
          <option value="csv">{t`CSV, for spreadsheets`}</option>
          <option value="json">{t`JSON, as in the API`}</option>
        </select>
      </label>
      <p role="status">
        {isPending && tn(count, t`${number(count)} entry read …`, t`${number(count)} entries read …`)}
        {isSuccess && tn(count, t`${number(count)} entry was saved.`, t`${number(count)} entries were saved.`)}
      </p>
      {error && <Problem error={error} />}
      <div className="actions">
        <Button onClick={close}>{isSuccess ? t`Close` : t`Cancel`}</Button>
        <Button kind="primary" busy={isPending} onClick={() => mutate()}>
          {t`Save`}
        </Button>
      </div>
    </Dialog>
  );
}
