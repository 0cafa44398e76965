/** Where people come back to: one address after the other. */
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '../../parts/button.tsx';
import { t } from '../../parts/words.ts';
import type { AppFields } from './app-fields.ts';

const most = 20;

export function RedirectFields({ fault }: { fault: string | undefined }) {
  const { register, watch } = useFormContext<AppFields>();
  const { fields, append, remove } = useFieldArray<AppFields, 'redirect_uris'>({ name: 'redirect_uris' });
  const kind = watch('kind');
  return (
    <fieldset aria-describedby={fault ? 'redirects-fault' : 'redirects-hint'}>
      <legend>{t('app.redirects')}</legend>
      <p className="hint" id="redirects-hint">
        {t(kind === 'public' ? 'app.redirects.hint-public' : 'app.redirects.hint')}
      </p>
      {fault && (
        <p className="fault" id="redirects-fault">
          {fault}
        </p>
      )}
      {fields.map(({ id, uri }, at) => (
        <div key={id} className="one-of-many">
          <input
            {...register(`redirect_uris.${at}.uri`)}
            aria-label={t('app.redirect', { number: at + 1 })}
            aria-invalid={fault ? true : undefined}
            placeholder="https://planner.example/callback"
            inputMode="url"
            maxLength={2_048}
            autoComplete="off"
          />
          {fields.length > 1 && (
            <Button aria-label={t('app.redirect.remove', { uri })} onClick={() => remove(at)}>
              {t('remove')}
            </Button>
          )}
        </div>
      ))}
      {fields.length < most && <Button onClick={() => append({ uri: '' })}>{t('app.redirect.add')}</Button>}
    </fieldset>
  );
}
