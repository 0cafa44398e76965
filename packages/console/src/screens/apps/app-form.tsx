/** Form for creating or editing an app. */
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { Form } from '../../parts/fields/form.tsx';
import { ScopePicker } from '../../parts/fields/scope-picker.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { named, t } from '../../parts/translate.ts';
import type { AppFields } from './app-fields.ts';
import { appFieldLabels, fieldHints, kindHints, visibilityNames } from './names.ts';
import { RedirectFields } from './redirect-fields.tsx';

interface AppFormProps {
  form: UseFormReturn<AppFields>;
  /** The app type can't be changed later. */
  isNew: boolean;
  actionLabel: string;
  busy: boolean;
  error: unknown;
  onSubmit(fields: AppFields): void;
}

const texts = [
  { name: 'name', type: 'text', longest: 100, placeholder: '' },
  { name: 'description', type: 'text', longest: 500, placeholder: '' },
  { name: 'website', type: 'url', longest: 2_048, placeholder: 'https://planner.example' },
  { name: 'logo_url', type: 'url', longest: 2_048, placeholder: 'https://planner.example/logo.png' },
] as const;

export function AppForm({ form, isNew, actionLabel, busy, error, onSubmit }: AppFormProps) {
  const { register, handleSubmit, watch, setValue } = form;
  const refusal = error instanceof ApiError ? error : undefined;
  return (
    <FormProvider {...form}>
      <Form busy={busy} className="form" noValidate onSubmit={handleSubmit(onSubmit)}>
        <Unsaved isDirty={form.formState.isDirty} busy={busy} />
        {error ? <Problem error={error} names={appFieldLabels} /> : null}
        {texts.map(({ name, type, longest, placeholder }) => (
          <Field key={name} label={appFieldLabels()[name]} hint={fieldHints()[name]} error={refusal?.fieldError(name)}>
            {(described) => (
              <input
                {...described}
                {...register(name)}
                type={type}
                maxLength={longest}
                placeholder={placeholder}
                autoComplete="off"
              />
            )}
          </Field>
        ))}
        {isNew && (
          <fieldset>
            <legend>{t`Kind`}</legend>
            {(['confidential', 'public'] as const).map((kind) => (
              <label key={kind} className="check">
                <input type="radio" value={kind} {...register('kind')} />
                {named(kindHints, kind)}
              </label>
            ))}
          </fieldset>
        )}
        <RedirectFields error={refusal?.errorsUnder('redirect_uris')} />
        <ScopePicker
          legend={t`Permissions it can request`}
          hint={t`Request as little as possible: people read this before they agree. An app never gets more than the role of the person who authorizes it.`}
          all={t`Everything, including permissions added later`}
          value={watch('scopes')}
          error={refusal?.errorsUnder('scopes')}
          onChange={(scopes) => setValue('scopes', scopes, { shouldDirty: true })}
        />
        <fieldset>
          <legend>{t`Who can authorize it`}</legend>
          {(['company', 'everyone'] as const).map((visibility) => (
            <label key={visibility} className="check">
              <input type="radio" value={visibility} {...register('visibility')} />
              {named(visibilityNames, visibility)}
            </label>
          ))}
        </fieldset>
        <div className="actions">
          <Button type="submit" kind="primary" busy={busy}>
            {actionLabel}
          </Button>
        </div>
      </Form>
    </FormProvider>
  );
}
