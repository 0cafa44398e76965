/** Edits an app: sends only changed fields, conditional on the loaded version. Confirms changes that affect others. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type AppChange, appQuery, changeApp, type VersionedApp } from '../../api/apps.ts';
import { ApiError } from '../../api/client/client.ts';
import { Conflict, differing } from '../../parts/conflict.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { named, t } from '../../parts/translate.ts';
import { type AppFields, type Consequence, changeOf, consequencesOf, fieldsOf } from './app-fields.ts';
import { AppForm } from './app-form.tsx';
import { appFieldLabels, consequenceNames, visibilityNames } from './names.ts';

export function ChangeApp({ company, known }: { company: string; known: VersionedApp }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [theirs, setTheirs] = useState<VersionedApp>();
  const [asked, setAsked] = useState<{ change: AppChange; etag: string | null; consequences: Consequence[] }>();
  const form = useForm<AppFields>({ defaultValues: fieldsOf(base.app) });
  const begin = (now: VersionedApp) => {
    setBase(now);
    setTheirs(undefined);
    setAsked(undefined);
    form.reset(fieldsOf(now.app));
  };
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async ({ change, etag }: { change: AppChange; etag: string | null }) => {
      try {
        return await changeApp(company, base.app.id, change, etag);
      } catch (refused) {
        if (!(refused instanceof ApiError && refused.status === 412)) throw refused;
        const now = await queries.fetchQuery({ ...appQuery(company, base.app.id), staleTime: 0 });
        // A rotated secret changes the ETag, but nothing in the form: no conflict.
        const isSame = Object.keys(changeOf(fieldsOf(base.app), fieldsOf(now.app))).length === 0;
        if (isSame) return changeApp(company, base.app.id, change, now.etag);
        setTheirs(now);
        setAsked(undefined);
        return undefined;
      }
    },
    onSuccess: async (now) => {
      if (!now) return;
      begin(now);
      await queries.invalidateQueries({ queryKey: [company, 'apps'] });
    },
  });
  const save = (fields: AppFields, { etag } = base) => {
    const change = changeOf(fieldsOf(base.app), fields);
    if (Object.keys(change).length === 0) return;
    const consequences = consequencesOf((theirs ?? base).app, change);
    if (consequences.length > 0) setAsked({ change, etag, consequences });
    else mutate({ change, etag });
  };
  return (
    <section className="panel" aria-labelledby="change">
      <h2 id="change">{t`App`}</h2>
      {theirs && (
        <Conflict
          fields={differences(fieldsOf(base.app), fieldsOf(theirs.app), form.getValues())}
          onMine={() => save(form.getValues(), theirs)}
          onTheirs={() => begin(theirs)}
        />
      )}
      <AppForm
        form={form}
        isNew={false}
        act={t`Save`}
        busy={isPending}
        error={asked ? null : error}
        onSubmit={(fields) => save(fields, theirs ?? base)}
      />
      <p role="status" className="calm">
        {isSuccess && !isPending && !theirs && !form.formState.isDirty ? t`Saved.` : ''}
      </p>
      <Confirm
        open={asked !== undefined}
        title={t`Others will notice this change`}
        about={asked?.consequences.map((each) => named(consequenceNames, each)).join(' ') ?? ''}
        act={t`Save`}
        busy={isPending}
        error={error}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && mutate(asked)}
      />
    </section>
  );
}

function differences(read: AppFields, now: AppFields, mine: AppFields) {
  return differing(read, now, mine).map((name) => ({
    name,
    label: appFieldLabels()[name],
    now: shown(now, name),
    mine: shown(mine, name),
  }));
}

function shown(fields: AppFields, name: keyof AppFields): string {
  if (name === 'redirect_uris') return fields.redirect_uris.map(({ uri }) => uri).join(', ');
  if (name === 'scopes') return fields.scopes?.join(', ') ?? t`Everything, including permissions added later`;
  if (name === 'visibility') return named(visibilityNames, fields.visibility);
  return fields[name];
}
