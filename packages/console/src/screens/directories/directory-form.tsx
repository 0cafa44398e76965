/** Form for creating or editing a directory. */
import { type UseFormReturn, useForm } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import type { Directory } from '../../api/directories.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { Form } from '../../parts/fields/form.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { useBase } from '../../parts/fields/use-base.ts';
import { named, t } from '../../parts/translate.ts';
import { matchNames, onCreateNames, onDeleteNames, onLocalChangeNames } from './names.ts';

export interface DirectoryFields {
  name: string;
  on_create: 'pending' | 'invite';
  on_delete: 'deactivate' | 'delete';
  match_by: 'email' | 'external_id';
  on_local_change: 'refuse' | 'allow';
  default_department: string;
  default_position: string;
}

/** Fields of a directory; of a new one, the service's defaults, localized. */
export function fieldsOf(directory: Directory | undefined): DirectoryFields {
  return {
    name: directory?.name ?? '',
    on_create: directory?.on_create ?? 'pending',
    on_delete: directory?.on_delete ?? 'deactivate',
    match_by: directory?.match_by ?? 'email',
    on_local_change: directory?.on_local_change ?? 'refuse',
    default_department: directory?.default_department ?? t`Unassigned`,
    default_position: directory?.default_position ?? t`Unassigned`,
  };
}

interface DirectoryFormProps {
  directory?: Directory;
  actionLabel: string;
  busy: boolean;
  error: unknown;
  /** @param base the version that the form began with. @param onSaved call it once the saved version is loaded */
  onSubmit(fields: DirectoryFields, base: Directory | undefined, onSaved: () => void): void;
}

const labels = () => ({
  name: t`Name`,
  default_department: t`Default department`,
  default_position: t`Default position`,
});

export function DirectoryForm({ directory, actionLabel, busy, error, onSubmit }: DirectoryFormProps) {
  const form = useForm<DirectoryFields>({ defaultValues: fieldsOf(directory) });
  const { register, handleSubmit, formState, reset } = form;
  const base = useBase(form, directory, fieldsOf);
  const refusal = error instanceof ApiError ? error : undefined;
  const text = (name: 'name' | 'default_department' | 'default_position', label: string, hint?: string) => (
    <Field label={label} hint={hint} error={refusal?.fieldError(name)}>
      {(described) => <input {...described} {...register(name)} type="text" maxLength={100} autoComplete="off" />}
    </Field>
  );
  return (
    <Form
      busy={busy}
      className="form"
      noValidate
      onSubmit={handleSubmit((fields) => onSubmit(fields, base, () => reset(fields)))}
    >
      <Unsaved isDirty={formState.isDirty} busy={busy} />
      {error ? <Problem error={error} names={labels} /> : null}
      {text('name', labels().name, t`For example, the name of your identity provider.`)}
      <Choice form={form} name="on_create" legend={t`When the provider adds a person`} names={onCreateNames} />
      <Choice form={form} name="on_delete" legend={t`When the provider deletes a person`} names={onDeleteNames} />
      <Choice form={form} name="match_by" legend={t`Matching existing people`} names={matchNames} />
      <Choice
        form={form}
        name="on_local_change"
        legend={t`When someone here changes a field that the provider sends`}
        names={onLocalChangeNames}
      />
      {text(
        'default_department',
        labels().default_department,
        t`For people whose department the provider doesn't send.`,
      )}
      {text('default_position', labels().default_position, t`For people whose title the provider doesn't send.`)}
      <div className="actions">
        <Button kind="primary" type="submit" busy={busy}>
          {actionLabel}
        </Button>
      </div>
    </Form>
  );
}

interface ChoiceProps {
  form: UseFormReturn<DirectoryFields>;
  name: 'on_create' | 'on_delete' | 'match_by' | 'on_local_change';
  legend: string;
  names: () => Record<string, string>;
}

function Choice({ form, name, legend, names }: ChoiceProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {Object.keys(names()).map((value) => (
        <label key={value} className="check">
          <input type="radio" value={value} {...form.register(name)} />
          {named(names, value)}
        </label>
      ))}
    </fieldset>
  );
}
