/** A person's notification preferences. */
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../../api/client/client.ts';
import { permissionsQuery } from '../../../api/client/session.ts';
import { type Preferences, preferencesQuery, setPreferences } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { Field } from '../../../parts/fields/field.tsx';
import { Form } from '../../../parts/fields/form.tsx';
import { Unsaved } from '../../../parts/fields/unsaved.tsx';
import { useBase } from '../../../parts/fields/use-base.ts';
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

type Change = Parameters<typeof setPreferences>[2];

function inputsOf({ channels: chosen, quiet_hours: quiet, locale }: Preferences): Inputs {
  return {
    ...chosen,
    is_quiet: quiet !== null,
    start: quiet?.start ?? '22:00',
    end: quiet?.end ?? '07:00',
    timezone: quiet?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    locale: locale ?? '',
  };
}

/** Quiet hours are replaced as a whole. */
function changeOf(from: Inputs, to: Inputs): Change {
  const isChanged = (name: keyof Inputs) => from[name] !== to[name];
  const { is_quiet: isQuiet, start, end, timezone, locale } = to;
  return {
    channels: Object.fromEntries(channels.filter(isChanged).map((channel) => [channel, to[channel]])),
    ...((['is_quiet', 'start', 'end', 'timezone'] as const).some(isChanged) && {
      quiet_hours: isQuiet ? { start, end, timezone } : null,
    }),
    ...(isChanged('locale') && { locale: locale || null }),
  };
}

export function Notifications() {
  useLanguage();
  const { company, person } = useParams({ from: '/$company/people/$person' });
  const { data, error, refetch } = useQuery(preferencesQuery(company, person));
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (change: Change) => setPreferences(company, person, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'people', person] }),
  });
  return (
    <section className="panel" aria-labelledby="notifications">
      <h2 id="notifications">{t`Notifications`}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <PreferencesForm
          key={saving.data?.updated_at}
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
  saving: Pick<UseMutationResult<Preferences, Error, Change>, 'mutate' | 'isPending' | 'error'>;
}

function PreferencesForm({ company, person, preferences, saving }: FormProps) {
  const { mutate, isPending, error } = saving;
  const relation = useRelation(company, person);
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('setNotifications') && ['admin', 'self', 'manager-self'].includes(relation);
  const { quiet_hours: quiet, locale } = preferences;
  const form = useForm<Inputs>({ defaultValues: inputsOf(preferences), disabled: !may });
  const { register, handleSubmit, watch, formState } = form;
  const base = useBase(form, preferences, inputsOf);
  const refusal = error instanceof ApiError ? error : undefined;
  return (
    <Form
      busy={isPending}
      className="form"
      onSubmit={handleSubmit((inputs) => mutate(changeOf(inputsOf(base), inputs)))}
    >
      <Unsaved isDirty={formState.isDirty} busy={isPending} />
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
            {locale && !(locale in languages) && <option>{locale}</option>}
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
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
    </Form>
  );
}
