/** Company form: general settings, then policies, each with an explanation. */
import type { UseFormReturn } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { Form } from '../../parts/fields/form.tsx';
import { ScopePicker } from '../../parts/fields/scope-picker.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { longDuration } from '../../parts/format.ts';
import { t } from '../../parts/translate.ts';
import { assistantRights, type CompanyFields, directoryVisibilities, sessionAgesS } from './company-fields.ts';
import { assistantRightNames, companyFieldLabels, directoryVisibilityNames, fieldHints } from './names.ts';
import { mailLanguages } from './visible-field.ts';

interface CompanyFormProps {
  form: UseFormReturn<CompanyFields>;
  busy: boolean;
  error: unknown;
  onSubmit(fields: CompanyFields): void;
}

export function CompanyForm({ form, busy, error, onSubmit }: CompanyFormProps) {
  const { register, handleSubmit, watch } = form;
  const refusal = error instanceof ApiError ? error : undefined;
  const locale = watch('locale');
  return (
    <Form busy={busy} className="form" noValidate onSubmit={handleSubmit(onSubmit)}>
      <Unsaved isDirty={form.formState.isDirty} busy={busy} />
      {error ? <Problem error={error} names={companyFieldLabels} /> : null}
      <Field label={t`Name`} hint={t`Shown in emails and on pages.`} error={refusal?.fieldError('name')}>
        {(described) => <input {...described} {...register('name')} maxLength={200} autoComplete="off" />}
      </Field>
      <Field
        label={t`Time zone`}
        hint={t`Days start and end in this time zone, for example a last day of employment.`}
        error={refusal?.fieldError('time_zone')}
      >
        {(described) => (
          <input {...described} {...register('time_zone')} list="time-zones" maxLength={64} autoComplete="off" />
        )}
      </Field>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Field
        label={t`Email language`}
        hint={t`For people who haven't chosen one.`}
        error={refusal?.fieldError('locale')}
      >
        {(described) => (
          <select {...described} {...register('locale')}>
            <option value="">{t`The language of the service`}</option>
            {locale && !(locale in mailLanguages) && <option>{locale}</option>}
            {Object.entries(mailLanguages).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <h3>{t`Sign-in rules`}</h3>
      <p className="quiet">
        {t`They apply to every app within a second, even to existing sign-ins.`}{' '}
        <a href={`${docsUrl}/guides/company-policy`}>{t`How to introduce them`}</a>
      </p>
      <Rules form={form} refusal={refusal} />
      <div className="actions">
        <Button type="submit" kind="primary" busy={busy}>
          {t`Save`}
        </Button>
      </div>
    </Form>
  );
}

function Rules({ form, refusal }: Pick<CompanyFormProps, 'form'> & { refusal: ApiError | undefined }) {
  const { register, watch, setValue } = form;
  const age = watch('session_max_age');
  const isPreset = age === '' || sessionAgesS.some((each) => String(each) === age);
  return (
    <>
      {(['require_second_factor', 'step_up'] as const).map((name) => (
        <div key={name} className="field">
          <label className="check">
            <input type="checkbox" {...register(name)} aria-describedby={`${name}-hint`} />
            {companyFieldLabels()[name]}
          </label>
          <span className="hint" id={`${name}-hint`}>
            {fieldHints()[name]}
          </span>
        </div>
      ))}
      <Field
        label={t`Sign in again after`}
        hint={t`Sessions and the tokens that apps got from them end after this time.`}
        error={refusal?.fieldError('policy.session_max_age')}
      >
        {(described) => (
          <select {...described} {...register('session_max_age')}>
            <option value="">{t`the default of the service (12 hours in a browser)`}</option>
            {!isPreset && <option value={age}>{longDuration(Number(age))}</option>}
            {sessionAgesS.map((each) => (
              <option key={each} value={String(each)}>
                {longDuration(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={companyFieldLabels().assistants}
        hint={fieldHints().assistants}
        error={refusal?.fieldError('policy.assistants')}
      >
        {(described) => (
          <select {...described} {...register('assistants')}>
            {assistantRights.map((each) => (
              <option key={each} value={each}>
                {assistantRightNames()[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={companyFieldLabels().directory_visibility}
        hint={fieldHints().directory_visibility}
        error={refusal?.fieldError('policy.directory_visibility')}
      >
        {(described) => (
          <select {...described} {...register('directory_visibility')}>
            {directoryVisibilities.map((each) => (
              <option key={each} value={each}>
                {directoryVisibilityNames()[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ScopePicker
        legend={t`Permissions for apps of other companies`}
        hint={t`Doesn't apply to the company's own apps or to those of the operator.`}
        all={t`Everything that people authorize`}
        value={watch('allowed_scopes')}
        error={refusal?.errorsUnder('policy.allowed_scopes')}
        onChange={(scopes) => setValue('allowed_scopes', scopes, { shouldDirty: true })}
      />
    </>
  );
}
