/** Edits an app: sends only changed fields, conditional on the loaded version. Confirms changes that affect others. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type AppChange, appQuery, changeApp, type VersionedApp } from '../../api/apps.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Conflict, differingFields, isConflict } from '../../parts/errors/conflict.tsx';
import { named, t } from '../../parts/translate.ts';
import { type AppFields, type Consequence, changeOf, consequencesOf, fieldsOf } from './app-fields.ts';
import { AppForm } from './app-form.tsx';
import { appFieldLabels, consequenceNames, visibilityNames } from './names.ts';

export function ChangeApp({ company, known }: { company: string; known: VersionedApp }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [newerVersion, setNewerVersion] = useState<VersionedApp>();
  const [pendingChange, setPendingChange] = useState<{
    change: AppChange;
    etag: string | null;
    consequences: Consequence[];
  }>();
  const form = useForm<AppFields>({ defaultValues: fieldsOf(base.app) });
  const resetTo = (current: VersionedApp) => {
    setBase(current);
    setNewerVersion(undefined);
    setPendingChange(undefined);
    form.reset(fieldsOf(current.app));
  };
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async ({ change, etag }: { change: AppChange; etag: string | null }) => {
      try {
        return await changeApp(company, base.app.id, change, etag);
      } catch (refused) {
        if (!isConflict(refused)) throw refused;
        const current = await queries.fetchQuery({ ...appQuery(company, base.app.id), staleTime: 0 });
        // A rotated secret changes the ETag, but nothing in the form: no conflict.
        const isSame = Object.keys(changeOf(fieldsOf(base.app), fieldsOf(current.app))).length === 0;
        if (isSame) return changeApp(company, base.app.id, change, current.etag);
        setNewerVersion(current);
        setPendingChange(undefined);
        throw refused;
      }
    },
    onSuccess: async (current) => {
      resetTo(current);
      await queries.invalidateQueries({ queryKey: [company, 'apps'] });
    },
  });
  const save = (fields: AppFields, { etag } = base) => {
    const change = changeOf(fieldsOf(base.app), fields);
    if (Object.keys(change).length === 0) return;
    const consequences = consequencesOf((newerVersion ?? base).app, change);
    if (consequences.length > 0) setPendingChange({ change, etag, consequences });
    else mutate({ change, etag });
  };
  return (
    <section className="panel" aria-labelledby="change">
      <h2 id="change">{t`App`}</h2>
      {newerVersion && (
        <Conflict
          fields={differences(fieldsOf(base.app), fieldsOf(newerVersion.app), form.getValues())}
          onSaveOwn={() => save(form.getValues(), newerVersion)}
          onKeepCurrent={() => resetTo(newerVersion)}
        />
      )}
      <AppForm
        form={form}
        isNew={false}
        actionLabel={t`Save`}
        busy={isPending}
        error={pendingChange || (newerVersion && isConflict(error)) ? null : error}
        onSubmit={(fields) => save(fields, newerVersion ?? base)}
      />
      <p role="status" className="calm">
        {isSuccess && !isPending && !form.formState.isDirty ? t`Saved.` : ''}
      </p>
      <Confirm
        open={pendingChange !== undefined}
        title={t`Others will notice this change`}
        about={pendingChange?.consequences.map((each) => named(consequenceNames, each)).join(' ') ?? ''}
        actionLabel={t`Save`}
        busy={isPending}
        error={error}
        onClose={() => setPendingChange(undefined)}
        onConfirm={() => pendingChange && mutate(pendingChange)}
      />
    </section>
  );
}

function differences(original: AppFields, current: AppFields, edited: AppFields) {
  return differingFields(original, current, edited).map((name) => ({
    name,
    label: appFieldLabels()[name],
    current: formatField(current, name),
    edited: formatField(edited, name),
  }));
}

function formatField(fields: AppFields, name: keyof AppFields): string {
  if (name === 'redirect_uris') return fields.redirect_uris.map(({ uri }) => uri).join(', ');
  if (name === 'scopes') return fields.scopes?.join(', ') ?? t`Everything, including permissions added later`;
  if (name === 'visibility') return named(visibilityNames, fields.visibility);
  return fields[name];
}
