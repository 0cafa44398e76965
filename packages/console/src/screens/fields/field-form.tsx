/** Field definition form: label, type, and access. */
import { FormProvider, type UseFormReturn, useFormContext } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { Form } from '../../parts/fields/form.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { t } from '../../parts/translate.ts';
import { canBeUnique, type FieldInputs, hasOptions, keyFor, newOption, types } from './field-inputs.ts';
import { LabelFields } from './label-fields.tsx';
import { minRoleNames, settingNames, typeNames } from './names.ts';
import { OptionFields } from './option-fields.tsx';
import { Preview } from './preview.tsx';

interface FieldFormProps {
  form: UseFormReturn<FieldInputs>;
  /** Key, type, and sensitivity can't be changed later. */
  isNew: boolean;
  actionLabel: string;
  busy: boolean;
  error: unknown;
  onSubmit(inputs: FieldInputs): void;
}

export function FieldForm({ form, isNew, actionLabel, busy, error, onSubmit }: FieldFormProps) {
  const { handleSubmit, watch, setValue, getFieldState, formState } = form;
  const refusal = error instanceof ApiError ? error : undefined;
  const inputs = watch();
  const followLabel = (label: string) => {
    if (isNew && !getFieldState('key', formState).isTouched) setValue('key', keyFor(label), { shouldDirty: true });
  };
  return (
    <FormProvider {...form}>
      <Form busy={busy} className="form" noValidate onSubmit={handleSubmit(onSubmit)}>
        <Unsaved isDirty={formState.isDirty} busy={busy} />
        {error ? <Problem error={error} names={settingNames} /> : null}
        <LabelFields
          name="label"
          title={t`Label`}
          hint={t`Shown where there is no translation.`}
          refusal={refusal}
          onDefault={followLabel}
        />
        {isNew && <Permanent refusal={refusal} />}
        <Field
          label={settingNames().description}
          hint={t`Tells people what to fill in.`}
          error={refusal?.fieldError('description')}
        >
          {(described) => (
            <input {...described} {...form.register('description')} type="text" maxLength={500} autoComplete="off" />
          )}
        </Field>
        {hasOptions(inputs.type) && <OptionFields refusal={refusal} />}
        <Rules inputs={inputs} isNew={isNew} refusal={refusal} />
        <Preview inputs={inputs} />
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {actionLabel}
          </Button>
        </div>
      </Form>
    </FormProvider>
  );
}

/** Settings that can't be changed later. */
function Permanent({ refusal }: { refusal: ApiError | undefined }) {
  const { register, getValues, setValue } = useFormContext<FieldInputs>();
  const initializeOptions = (type: FieldInputs['type']) => {
    if (hasOptions(type) && getValues('options').length === 0) setValue('options', [newOption()]);
  };
  return (
    <>
      <Field label={settingNames().type} error={refusal?.fieldError('type')}>
        {(described) => (
          <select {...described} {...register('type', { onChange: ({ target }) => initializeOptions(target.value) })}>
            {types.map((type) => (
              <option key={type} value={type}>
                {typeNames()[type]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={settingNames().key}
        hint={t`Names the field in the API and in files. It can't be changed later.`}
        error={refusal?.fieldError('key')}
        required
      >
        {(described) => (
          <input {...described} {...register('key')} type="text" maxLength={40} autoComplete="off" spellCheck={false} />
        )}
      </Field>
    </>
  );
}

interface RulesProps {
  inputs: FieldInputs;
  isNew: boolean;
  refusal: ApiError | undefined;
}

function Rules({ inputs, isNew, refusal }: RulesProps) {
  const { register } = useFormContext<FieldInputs>();
  return (
    <>
      <Check
        name="required"
        hint={t`New people need a value. People without one stay as they are.`}
        refusal={refusal}
      />
      {canBeUnique(inputs.type) && (
        <Check
          name="unique"
          hint={t`No two people can have the same value. Only admins can change it.`}
          refusal={refusal}
        />
      )}
      {(['read', 'write'] as const).map((name) => (
        <Field
          key={name}
          label={settingNames()[name]}
          hint={t`Managers for their team, employees for themselves.`}
          error={refusal?.fieldError(name)}
        >
          {(described) => (
            <select {...described} {...register(name)}>
              {(['admin', 'manager', 'employee'] as const).map((role) => (
                <option key={role} value={role}>
                  {minRoleNames()[role]}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
      {isNew && (
        <Check
          name="sensitive"
          hint={t`Protected like salaries: apps need a separate permission for it, and webhooks never get it. It can't be changed later.`}
          refusal={refusal}
        />
      )}
    </>
  );
}

interface CheckProps {
  name: 'required' | 'unique' | 'sensitive';
  hint: string;
  refusal: ApiError | undefined;
}

function Check({ name, hint, refusal }: CheckProps) {
  const { register } = useFormContext<FieldInputs>();
  const error = refusal?.fieldError(name);
  const described = [`${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          {...register(name)}
          aria-describedby={described}
          aria-invalid={error ? true : undefined}
        />
        {settingNames()[name]}
      </label>
      <span className="hint" id={`${name}-hint`}>
        {hint}
      </span>
      {error && (
        <span className="field-error" id={`${name}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}
