/** Edits a field: sends only changed settings, conditional on the loaded version. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { type CustomFieldChange, changeField, fieldQuery, type VersionedField } from '../../api/custom-fields.ts';
import { Conflict, differing } from '../../parts/conflict.tsx';
import { t } from '../../parts/translate.ts';
import { FieldForm } from './field-form.tsx';
import { changeOf, type FieldInputs, inputsOf } from './field-inputs.ts';
import { minRoleNames, settingNames } from './names.ts';

export function ChangeField({ company, known }: { company: string; known: VersionedField }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [theirs, setTheirs] = useState<VersionedField>();
  const form = useForm<FieldInputs>({ defaultValues: inputsOf(base.field) });
  const { key } = base.field;
  const begin = (now: VersionedField) => {
    setBase(now);
    setTheirs(undefined);
    form.reset(inputsOf(now.field));
  };
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ change, etag }: { change: CustomFieldChange; etag: string | null }) =>
      changeField(company, key, change, etag),
    onSuccess: async (now) => {
      begin(now);
      queries.setQueryData(fieldQuery(company, key).queryKey, now);
      await queries.invalidateQueries({ queryKey: [company, 'custom-fields'] });
    },
    onError: async (refused) => {
      if (refused instanceof ApiError && refused.status === 412) {
        setTheirs(await queries.fetchQuery({ ...fieldQuery(company, key), staleTime: 0 }));
      }
    },
  });
  const save = (inputs: FieldInputs) => {
    const change = changeOf(inputsOf(base.field), inputs);
    // Archived or restored on this screen in the meantime: no conflict.
    const { etag } = theirs ?? (isSameDefinition(base, known) ? known : base);
    if (Object.keys(change).length > 0) mutate({ change, etag });
  };
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">{t`Settings`}</h2>
      {theirs && (
        <Conflict
          fields={differences(inputsOf(base.field), inputsOf(theirs.field), form.getValues())}
          onMine={() => save(form.getValues())}
          onTheirs={() => begin(theirs)}
        />
      )}
      <FieldForm
        form={form}
        isNew={false}
        act={t`Save`}
        busy={isPending}
        error={theirs ? null : error}
        onSubmit={save}
      />
      <p role="status" className="calm">
        {isSuccess && !isPending && !form.formState.isDirty ? t`Saved.` : ''}
      </p>
    </section>
  );
}

function isSameDefinition(one: VersionedField, other: VersionedField): boolean {
  return JSON.stringify(inputsOf(one.field)) === JSON.stringify(inputsOf(other.field));
}

function differences(read: FieldInputs, now: FieldInputs, mine: FieldInputs) {
  return differing(read, now, mine).map((name) => ({
    name,
    label: settingNames()[name],
    now: shownSetting(now, name),
    mine: shownSetting(mine, name),
  }));
}

function shownSetting(inputs: FieldInputs, name: keyof FieldInputs): string {
  if (name === 'read' || name === 'write') return minRoleNames()[inputs[name]];
  if (name === 'label') return Object.values(inputs.label).filter(Boolean).join(' · ');
  if (name === 'options') {
    return inputs.options
      .map(({ label, retired }) => (retired ? t`${label.default} (retired)` : label.default))
      .join(', ');
  }
  const value = inputs[name];
  return typeof value === 'boolean' ? (value ? t`yes` : t`no`) : value;
}
