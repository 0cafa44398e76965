/** Options of a choice: order and labels. Saved options are retired, new ones removed. */
import { useFieldArray, useFormContext } from 'react-hook-form';
import type { ApiError } from '../../api/client/client.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { SortableList } from '../../parts/lists/sortable-list.tsx';
import { Badge } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';
import { type FieldInputs, keyFor, newOption } from './field-inputs.ts';
import { LabelFields } from './label-fields.tsx';

const maxOptions = 100;

export function OptionFields({ refusal }: { refusal: ApiError | undefined }) {
  const { control, watch } = useFormContext<FieldInputs>();
  const { fields, append, remove, move } = useFieldArray({ control, name: 'options' });
  const options = watch('options');
  const error = refusal?.fieldError('options');
  const nameAt = (at: number) => options[at]?.label.default || t`Option ${at + 1}`;
  return (
    <fieldset aria-describedby={error ? 'options-error' : undefined}>
      <legend id="options">{t`Options`}</legend>
      <p className="hint">{t`People who have a retired option keep it. No one else can choose it.`}</p>
      {error && (
        <p className="field-error" id="options-error">
          {error}
        </p>
      )}
      <SortableList
        labelledBy="options"
        items={fields}
        idOf={({ id }) => id}
        nameOf={({ id }) => nameAt(fields.findIndex((each) => each.id === id))}
        onMove={move}
      >
        {(_, at) => <OneOption at={at} name={nameAt(at)} refusal={refusal} onRemove={() => remove(at)} />}
      </SortableList>
      {fields.length < maxOptions && (
        <Button onClick={() => append(newOption(), { focusName: `options.${fields.length}.label.default` })}>
          {t`Add an option`}
        </Button>
      )}
    </fieldset>
  );
}

interface OneOptionProps {
  at: number;
  name: string;
  refusal: ApiError | undefined;
  onRemove(): void;
}

function OneOption({ at, name, refusal, onRemove }: OneOptionProps) {
  const { register, watch, setValue, getFieldState, formState } = useFormContext<FieldInputs>();
  const option = watch(`options.${at}`);
  if (!option) return null;
  const { isSaved, retired } = option;
  const follows = !isSaved && !getFieldState(`options.${at}.key`, formState).isTouched;
  return (
    <>
      {retired && (
        <span>
          <Badge tone="quiet">{t`Retired`}</Badge>
        </span>
      )}
      <LabelFields
        name={`options.${at}.label`}
        title={t`Label of option ${at + 1}`}
        refusal={refusal}
        onDefault={(label) => follows && setValue(`options.${at}.key`, keyFor(label, true), { shouldDirty: true })}
      />
      <Field
        label={t`Key of option ${at + 1}`}
        hint={isSaved ? undefined : t`Stored as the value. It can't be changed later.`}
        error={refusal?.fieldError(`options.${at}.key`)}
      >
        {(described) => (
          <input
            {...described}
            {...register(`options.${at}.key`)}
            type="text"
            maxLength={40}
            readOnly={isSaved}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="row">
        {isSaved ? (
          <Button onClick={() => setValue(`options.${at}.retired`, !retired, { shouldDirty: true })}>
            <span>{retired ? t`Bring back` : t`Retire`}</span> <span className="unseen">{name}</span>
          </Button>
        ) : (
          <Button onClick={onRemove}>
            <span>{t`Remove`}</span> <span className="unseen">{name}</span>
          </Button>
        )}
      </div>
    </>
  );
}
