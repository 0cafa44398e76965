/** Edits the company: sends only changed fields, conditional on the loaded version. Confirms changes that affect others. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { sessionQuery } from '../../api/client/session.ts';
import { type CompanyChange, changeCompany, companyQuery, type VersionedCompany } from '../../api/company.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Conflict, differingFields, isConflict } from '../../parts/errors/conflict.tsx';
import { named, t } from '../../parts/translate.ts';
import { type CompanyFields, type Consequence, changeOf, consequencesOf, fieldsOf } from './company-fields.ts';
import { CompanyForm } from './company-form.tsx';
import { companyFieldLabels, consequenceNames } from './names.ts';
import { formatField } from './visible-field.ts';

interface PendingChange {
  change: CompanyChange;
  etag: string | null;
  consequences: Consequence[];
}

export function ChangeCompany({ id, known }: { id: string; known: VersionedCompany }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [newerVersion, setNewerVersion] = useState<VersionedCompany>();
  const [pendingChange, setPendingChange] = useState<PendingChange>();
  const form = useForm<CompanyFields>({ defaultValues: fieldsOf(base.company) });
  const resetTo = (current: VersionedCompany) => {
    setBase(current);
    setNewerVersion(undefined);
    form.reset(fieldsOf(current.company));
  };
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ change, etag }: Pick<PendingChange, 'change' | 'etag'>) => changeCompany(id, change, etag),
    onSuccess: async (current) => {
      setPendingChange(undefined);
      resetTo(current);
      queries.setQueryData(companyQuery(id).queryKey, current);
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey }); // the frame shows the company name
    },
    onError: async (refused) => {
      if (!isConflict(refused)) return;
      setPendingChange(undefined);
      setNewerVersion(await queries.fetchQuery({ ...companyQuery(id), staleTime: 0 }));
    },
  });
  const save = (fields: CompanyFields) => {
    const from = fieldsOf(base.company);
    const change = changeOf(from, fields);
    if (Object.keys(change).length === 0) return;
    const { etag } = newerVersion ?? base;
    const consequences = consequencesOf(from, change);
    if (consequences.length > 0) setPendingChange({ change, etag, consequences });
    else mutate({ change, etag });
  };
  const visibleError = pendingChange || (newerVersion && isConflict(error)) ? null : error;
  return (
    <section className="panel" aria-labelledby="change">
      <h2 id="change">{t`Settings`}</h2>
      {newerVersion && (
        <Conflict
          fields={differences(fieldsOf(base.company), fieldsOf(newerVersion.company), form.getValues())}
          onSaveOwn={() => save(form.getValues())}
          onKeepCurrent={() => resetTo(newerVersion)}
        />
      )}
      <CompanyForm form={form} busy={isPending} error={visibleError} onSubmit={save} />
      <p role="status" className="calm">
        {isSuccess && !isPending && !form.formState.isDirty ? t`Saved.` : ''}
      </p>
      <Confirm
        open={pendingChange !== undefined}
        title={t`Change the company's rules?`}
        about={t`This applies to everyone in the company:`}
        actionLabel={t`Save`}
        busy={isPending}
        error={error}
        onClose={() => setPendingChange(undefined)}
        onConfirm={() => pendingChange && mutate(pendingChange)}
      >
        <ul className="consequences">
          {pendingChange?.consequences.map((each) => (
            <li key={each}>{named(consequenceNames, each)}</li>
          ))}
        </ul>
      </Confirm>
    </section>
  );
}

function differences(original: CompanyFields, current: CompanyFields, edited: CompanyFields) {
  return differingFields(original, current, edited).map((name) => ({
    name,
    label: companyFieldLabels()[name],
    current: formatField(current, name),
    edited: formatField(edited, name),
  }));
}
