/** Label inputs: the default, then one per language. */
import { useFormContext } from 'react-hook-form';
import type { ApiError } from '../../api/client/client.ts';
import { Field } from '../../parts/fields/field.tsx';
import { languages, t } from '../../parts/translate.ts';
import type { FieldInputs } from './field-inputs.ts';

interface LabelFieldsProps {
  name: 'label' | `options.${number}.label`;
  title: string;
  hint?: string;
  refusal: ApiError | undefined;
  onDefault?(label: string): void;
}

const ofLanguage = { en: languages.en, pt: languages['pt-BR'], es: languages.es } as const;

export function LabelFields({ name, title, hint, refusal, onDefault }: LabelFieldsProps) {
  const { register, watch } = useFormContext<FieldInputs>();
  const label = watch(name);
  const translated = (['en', 'pt', 'es'] as const).filter((language) => label?.[language]);
  const hasError = (['en', 'pt', 'es'] as const).some((language) => refusal?.fieldError(`${name}.${language}`));
  return (
    <>
      <Field
        label={title}
        hint={hint}
        error={refusal?.fieldError(`${name}.default`) ?? refusal?.fieldError(name)}
        required
      >
        {(described) => (
          <input
            {...described}
            {...register(`${name}.default`, { onChange: ({ target }) => onDefault?.(target.value) })}
            type="text"
            maxLength={100}
            autoComplete="off"
          />
        )}
      </Field>
      <details open={hasError || undefined}>
        <summary>
          {translated.length > 0
            ? t`Translations: ${translated.map((language) => ofLanguage[language]).join(', ')}`
            : t`Translations`}
        </summary>
        <div className="translations">
          {(['en', 'pt', 'es'] as const).map((language) => (
            <Field key={language} label={ofLanguage[language]} error={refusal?.fieldError(`${name}.${language}`)}>
              {(described) => (
                <input
                  {...described}
                  {...register(`${name}.${language}`)}
                  type="text"
                  lang={language}
                  maxLength={100}
                  autoComplete="off"
                />
              )}
            </Field>
          ))}
        </div>
      </details>
    </>
  );
}
