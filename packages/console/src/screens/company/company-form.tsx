/** The form of a company: what it is, and below that its rules, each with what it does. */
import type { UseFormReturn } from 'react-hook-form';
import { Refusal } from '../../api/client.ts';
import { docs_url } from '../../api/sign-in.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { lasting } from '../../parts/format.ts';
import { Problem } from '../../parts/problem.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { t } from '../../parts/words.ts';
import { type CompanyFields, session_ages_s } from './company-fields.ts';
import { mail_languages } from './shown-field.ts';

interface CompanyFormProps {
  form: UseFormReturn<CompanyFields>;
  busy: boolean;
  error: unknown;
  onSubmit(fields: CompanyFields): void;
}

export function CompanyForm({ form, busy, error, onSubmit }: CompanyFormProps) {
  const { register, handleSubmit, watch } = form;
  const refusal = error instanceof Refusal ? error : undefined;
  const locale = watch('locale');
  return (
    <form className="form" noValidate onSubmit={handleSubmit(onSubmit)}>
      {error ? <Problem error={error} /> : null}
      <Field label={t('company.name')} hint={t('company.name.hint')} fault={refusal?.fault('name')}>
        {(described) => <input {...described} {...register('name')} maxLength={200} autoComplete="off" />}
      </Field>
      <Field label={t('company.time_zone')} hint={t('company.time_zone.hint')} fault={refusal?.fault('time_zone')}>
        {(described) => (
          <input {...described} {...register('time_zone')} list="time-zones" maxLength={64} autoComplete="off" />
        )}
      </Field>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Field label={t('company.locale')} hint={t('company.locale.hint')} fault={refusal?.fault('locale')}>
        {(described) => (
          <select {...described} {...register('locale')}>
            <option value="">{t('company.locale.service')}</option>
            {locale && !(locale in mail_languages) && <option>{locale}</option>}
            {Object.entries(mail_languages).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <h3>{t('company.rules')}</h3>
      <p className="quiet">
        {t('company.rules.more')} <a href={`${docs_url}/guides/company-policy`}>{t('company.rules.guide')}</a>
      </p>
      <Rules form={form} refusal={refusal} />
      <div className="actions">
        <Button type="submit" kind="primary" busy={busy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}

function Rules({ form, refusal }: Pick<CompanyFormProps, 'form'> & { refusal: Refusal | undefined }) {
  const { register, watch, setValue } = form;
  const age = watch('session_max_age');
  const is_usual = age === '' || session_ages_s.some((each) => String(each) === age);
  return (
    <>
      {(['require_second_factor', 'step_up'] as const).map((name) => (
        <div key={name} className="field">
          <label className="check">
            <input type="checkbox" {...register(name)} aria-describedby={`${name}-hint`} />
            {t(`company.${name}`)}
          </label>
          <span className="hint" id={`${name}-hint`}>
            {t(`company.${name}.hint`)}
          </span>
        </div>
      ))}
      <Field
        label={t('company.session_max_age')}
        hint={t('company.session_max_age.hint')}
        fault={refusal?.fault('policy.session_max_age')}
      >
        {(described) => (
          <select {...described} {...register('session_max_age')}>
            <option value="">{t('company.session_max_age.service')}</option>
            {!is_usual && <option value={age}>{lasting(Number(age))}</option>}
            {session_ages_s.map((each) => (
              <option key={each} value={String(each)}>
                {lasting(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ScopePicker
        legend={t('company.allowed_scopes')}
        hint={t('company.allowed_scopes.hint')}
        all={t('company.allowed_scopes.all')}
        value={watch('allowed_scopes')}
        fault={refusal?.faultsUnder('policy.allowed_scopes')}
        onChange={(scopes) => setValue('allowed_scopes', scopes, { shouldDirty: true })}
      />
    </>
  );
}
