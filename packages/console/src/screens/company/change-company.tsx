/** Edits the company: sends only changed fields, conditional on the loaded version. Confirms changes that affect others. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { sessionQuery } from '../../api/client/session.ts';
import { type CompanyChange, changeCompany, companyQuery, type VersionedCompany } from '../../api/company.ts';
import { Conflict, differing } from '../../parts/conflict.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { named, t } from '../../parts/translate.ts';
import { type CompanyFields, type Consequence, changeOf, consequencesOf, fieldsOf } from './company-fields.ts';
import { CompanyForm } from './company-form.tsx';
import { companyFieldLabels, consequenceNames } from './names.ts';
import { shownField } from './visible-field.ts';

interface Asked {
  change: CompanyChange;
  etag: string | null;
  consequences: Consequence[];
}

export function ChangeCompany({ id, known }: { id: string; known: VersionedCompany }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [theirs, setTheirs] = useState<VersionedCompany>();
  const [asked, setAsked] = useState<Asked>();
  const form = useForm<CompanyFields>({ defaultValues: fieldsOf(base.company) });
  const begin = (now: VersionedCompany) => {
    setBase(now);
    setTheirs(undefined);
    form.reset(fieldsOf(now.company));
  };
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ change, etag }: Pick<Asked, 'change' | 'etag'>) => changeCompany(id, change, etag),
    onSuccess: async (now) => {
      setAsked(undefined);
      begin(now);
      queries.setQueryData(companyQuery(id).queryKey, now);
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey }); // the frame shows the company name
    },
    onError: async (refused) => {
      if (!(refused instanceof ApiError && refused.status === 412)) return;
      setAsked(undefined);
      setTheirs(await queries.fetchQuery({ ...companyQuery(id), staleTime: 0 }));
    },
  });
  const save = (fields: CompanyFields) => {
    const from = fieldsOf(base.company);
    const change = changeOf(from, fields);
    if (Object.keys(change).length === 0) return;
    const { etag } = theirs ?? base;
    const consequences = consequencesOf(from, change);
    if (consequences.length > 0) setAsked({ change, etag, consequences });
    else mutate({ change, etag });
  };
  const shown = asked || theirs ? null : error;
  return (
    <section className="panel" aria-labelledby="change">
      <h2 id="change">{t`Settings`}</h2>
      {theirs && (
        <Conflict
          fields={differences(fieldsOf(base.company), fieldsOf(theirs.company), form.getValues())}
          onMine={() => save(form.getValues())}
          onTheirs={() => begin(theirs)}
        />
      )}
      <CompanyForm form={form} busy={isPending} error={shown} onSubmit={save} />
      <p role="status" className="calm">
        {isSuccess && !isPending && !form.formState.isDirty ? t`Saved.` : ''}
      </p>
      <Confirm
        open={asked !== undefined}
        title={t`Change the company's rules?`}
        about={t`This applies to everyone in the company:`}
        act={t`Save`}
        busy={isPending}
        error={error}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && mutate(asked)}
      >
        <ul className="consequences">
          {asked?.consequences.map((each) => (
            <li key={each}>{named(consequenceNames, each)}</li>
          ))}
        </ul>
      </Confirm>
    </section>
  );
}

function differences(read: CompanyFields, now: CompanyFields, mine: CompanyFields) {
  return differing(read, now, mine).map((name) => ({
    name,
    label: companyFieldLabels()[name],
    now: shownField(now, name),
    mine: shownField(mine, name),
  }));
}
