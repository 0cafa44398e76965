/** A person's notification preferences. */
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../../api/client/client.ts';
import { permissionsQuery } from '../../../api/client/session.ts';
import { type Preferences, preferencesQuery, setPreferences } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/fields/field.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { Loading } from '../../../parts/small.tsx';
import { languages, t, useLanguage } from '../../../parts/translate.ts';
import { channelNames } from '../names.ts';
import { useRelation } from '../relation.ts';

const channels = ['email', 'push', 'sms'] as const;

interface Inputs {
  email: boolean;
  push: boolean;
  sms: boolean;
  is_quiet: boolean;
  start: string;
  end: string;
  timezone: string;
  locale: string;
}

export function Notifications() {
  useLanguage();
  const { company, person } = useParams({ from: '/$company/people/$person' });
  const { data, error, refetch } = useQuery(preferencesQuery(company, person));
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: ({ email, push, sms, is_quiet: isQuiet, start, end, timezone, locale: chosenLocale }: Inputs) =>
      setPreferences(company, person, {
        channels: { email, push, sms },
        quiet_hours: isQuiet ? { start, end, timezone } : null,
        locale: chosenLocale || null,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'people', person] }),
  });
  return (
    <section className="panel" aria-labelledby="notifications">
      <h2 id="notifications">{t`Notifications`}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <PreferencesForm
          key={data.updated_at ?? ''}
          company={company}
          person={person}
          preferences={data}
          saving={saving}
        />
      )}
      <p role="status" className="calm">
        {saving.isSuccess ? t`Saved.` : ''}
      </p>
    </section>
  );
}

interface FormProps {
  company: string;
  person: string;
  preferences: Preferences;
  saving: Pick<UseMutationResult<unknown, Error, Inputs>, 'mutate' | 'isPending' | 'error'>;
}

function PreferencesForm({ company, person, preferences, saving }: FormProps) {
  const { mutate, isPending, error } = saving;
  const relation = useRelation(company, person);
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('setNotifications') && ['admin', 'self', 'manager-self'].includes(relation);
  const { channels: chosen, quiet_hours: quiet, locale } = preferences;
  const { register, handleSubmit, watch } = useForm<Inputs>({
    defaultValues: {
      ...chosen,
      is_quiet: quiet !== null,
      start: quiet?.start ?? '22:00',
      end: quiet?.end ?? '07:00',
      timezone: quiet?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      locale: locale ?? '',
    },
    disabled: !may,
  });
  const refusal = error instanceof ApiError ? error : undefined;
  return (
    <form className="form" onSubmit={handleSubmit((inputs) => mutate(inputs))}>
      {error && <Problem error={error} />}
      <fieldset>
        <legend>{t`Send messages by`}</legend>
        {channels.map((channel) => (
          <label key={channel} className="check">
            <input type="checkbox" {...register(channel)} />
            {channelNames()[channel]}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t`Quiet hours`}</legend>
        <label className="check">
          <input type="checkbox" {...register('is_quiet')} />
          {t`Only email at certain hours`}
        </label>
        {watch('is_quiet') && (
          <div className="row">
            <Field label={t`From`} error={refusal?.fieldError('quiet_hours.start')}>
              {(described) => <input {...described} {...register('start')} type="time" />}
            </Field>
            <Field label={t`Until`} error={refusal?.fieldError('quiet_hours.end')}>
              {(described) => <input {...described} {...register('end')} type="time" />}
            </Field>
            <Field label={t`Time zone`} error={refusal?.fieldError('quiet_hours.timezone')}>
              {(described) => (
                <select {...described} {...register('timezone')}>
                  {[...new Set([quiet?.timezone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].map(
                    (zone) => zone && <option key={zone}>{zone}</option>,
                  )}
                </select>
              )}
            </Field>
          </div>
        )}
      </fieldset>
      <Field label={t`Message language`} error={refusal?.fieldError('locale')}>
        {(described) => (
          <select {...described} {...register('locale')}>
            <option value="">{t`The language of the service`}</option>
            {locale && !(locale in languages) && locale !== 'es' && <option>{locale}</option>}
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
            <option value="es">Español</option>
          </select>
        )}
      </Field>
      {may && (
        <div className="actions">
          <Button type="submit" kind="primary" busy={isPending}>
            {t`Save`}
          </Button>
        </div>
      )}
    </form>
  );
}
