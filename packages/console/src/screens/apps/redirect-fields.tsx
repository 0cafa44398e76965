/** Editable list of redirect URIs. */
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '../../parts/button.tsx';
import { t } from '../../parts/translate.ts';
import type { AppFields } from './app-fields.ts';

const maxUris = 20;

export function RedirectFields({ error }: { error: string | undefined }) {
  const { register, watch } = useFormContext<AppFields>();
  const { fields, append, remove } = useFieldArray<AppFields, 'redirect_uris'>({ name: 'redirect_uris' });
  const kind = watch('kind');
  return (
    <fieldset aria-describedby={error ? 'redirects-error' : 'redirects-hint'}>
      <legend>{t`Redirect URIs`}</legend>
      <p className="hint" id="redirects-hint">
        {kind === 'public'
          ? t`Where people return after they sign in: an exact https address, or a custom scheme with a dot in it. On localhost, http and any port work too.`
          : t`Where people return after they sign in: an exact https address. On localhost, http and any port work too.`}
      </p>
      {error && (
        <p className="field-error" id="redirects-error">
          {error}
        </p>
      )}
      {fields.map(({ id, uri }, at) => (
        <div key={id} className="one-of-many">
          <input
            {...register(`redirect_uris.${at}.uri`)}
            aria-label={t`Redirect URI ${at + 1}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'redirects-error' : undefined}
            placeholder="https://planner.example/callback"
            inputMode="url"
            maxLength={2_048}
            autoComplete="off"
          />
          {fields.length > 1 && (
            <Button aria-label={t`Remove ${uri}`} onClick={() => remove(at)}>
              {t`Remove`}
            </Button>
          )}
        </div>
      ))}
      {fields.length < maxUris && <Button onClick={() => append({ uri: '' })}>{t`Add a redirect URI`}</Button>}
    </fieldset>
  );
}
