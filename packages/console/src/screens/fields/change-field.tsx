/** Edits a field: sends only changed settings, conditional on the loaded version. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type CustomFieldChange, changeField, fieldQuery, type VersionedField } from '../../api/custom-fields.ts';
import { Conflict, differingFields, isConflict } from '../../parts/errors/conflict.tsx';
import { t } from '../../parts/translate.ts';
import { FieldForm } from './field-form.tsx';
import { changeOf, type FieldInputs, inputsOf } from './field-inputs.ts';
import { minRoleNames, settingNames } from './names.ts';

export function ChangeField({ company, known }: { company: string; known: VersionedField }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [newerVersion, setNewerVersion] = useState<VersionedField>();
  const form = useForm<FieldInputs>({ defaultValues: inputsOf(base.field) });
  const { key } = base.field;
  const resetTo = (current: VersionedField) => {
    setBase(current);
    setNewerVersion(undefined);
    form.reset(inputsOf(current.field));
  };
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ change, etag }: { change: CustomFieldChange; etag: string | null }) =>
      changeField(company, key, change, etag),
    onSuccess: async (current) => {
      resetTo(current);
      queries.setQueryData(fieldQuery(company, key).queryKey, current);
      await queries.invalidateQueries({ queryKey: [company, 'custom-fields'] });
    },
    onError: async (refused) => {
      if (isConflict(refused)) {
        setNewerVersion(await queries.fetchQuery({ ...fieldQuery(company, key), staleTime: 0 }));
      }
    },
  });
  const save = (inputs: FieldInputs) => {
    const change = changeOf(inputsOf(base.field), inputs);
    // Archived or restored on this screen in the meantime: no conflict.
    const { etag } = newerVersion ?? (isSameDefinition(base, known) ? known : base);
    if (Object.keys(change).length > 0) mutate({ change, etag });
  };
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">{t`Settings`}</h2>
      {newerVersion && (
        <Conflict
          fields={differences(inputsOf(base.field), inputsOf(newerVersion.field), form.getValues())}
          onSaveOwn={() => save(form.getValues())}
          onKeepCurrent={() => resetTo(newerVersion)}
        />
      )}
      <FieldForm
        form={form}
        isNew={false}
        actionLabel={t`Save`}
        busy={isPending}
        error={newerVersion && isConflict(error) ? null : error}
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

function differences(original: FieldInputs, current: FieldInputs, edited: FieldInputs) {
  return differingFields(original, current, edited).map((name) => ({
    name,
    label: settingNames()[name],
    current: formatSetting(current, name),
    edited: formatSetting(edited, name),
  }));
}

function formatSetting(inputs: FieldInputs, name: keyof FieldInputs): string {
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
