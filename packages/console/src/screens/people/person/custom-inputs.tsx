/** Custom field inputs in a person's form, limited to what the reader may write. */
import type { UseFormReturn } from 'react-hook-form';
import type { ApiError } from '../../../api/client/client.ts';
import type { CustomField } from '../../../api/custom-fields.ts';
import type { Person } from '../../../api/people.ts';
import { CustomInput } from '../../../parts/fields/custom-input.tsx';
import { inputValueOf, labelOf, valueText } from '../../../parts/fields/custom-values.ts';
import { Hidden } from '../../../parts/hidden.tsx';
import { t } from '../../../parts/translate.ts';
import { mayWriteCustom, type Relation } from '../fields.ts';
import { directoryOf, ManagedField } from './managed-field.tsx';
import type { Inputs } from './profile-inputs.ts';

interface CustomInputsProps {
  company: string;
  /** Undefined for a new one. */
  person: Person | undefined;
  fields: readonly CustomField[];
  /** API names of fields that are hidden from the reader for now. */
  hidden: ReadonlySet<string>;
  relation: Relation;
  form: Pick<UseFormReturn<Inputs>, 'watch' | 'setValue'>;
  refusal: ApiError | undefined;
}

export function CustomInputs({ company, person, fields, hidden, relation, form, refusal }: CustomInputsProps) {
  const editable = fields.filter(
    (field) => mayWriteCustom(field, relation) && (field.sensitive || !hidden.has(pathOf(field))),
  );
  const error = refusal?.fieldError('custom_fields');
  if (editable.length === 0) return null;
  return (
    <fieldset className="full custom-inputs">
      <legend>{t`Custom fields`}</legend>
      {error && <p className="field-error full">{error}</p>}
      {editable.map((field) => {
        const by = person && directoryOf(person, pathOf(field));
        const value = valueText(field, person?.custom_fields[field.key]);
        if (by) return <ManagedField key={field.key} label={labelOf(field.label)} value={value} by={by} />;
        return hidden.has(pathOf(field)) ? (
          <div key={field.key} className="field">
            <span>{labelOf(field.label)}</span>
            <Hidden company={company} field={pathOf(field)} isSensitive />
          </div>
        ) : (
          <CustomInput
            key={field.key}
            field={field}
            value={form.watch(`custom.${field.key}`) ?? inputValueOf(field, null)}
            error={refusal?.fieldError(pathOf(field))}
            onChange={(value) => form.setValue(`custom.${field.key}`, value, { shouldDirty: true })}
          />
        );
      })}
    </fieldset>
  );
}

export function pathOf({ key }: Pick<CustomField, 'key'>): string {
  return `custom_fields.${key}`;
}

export function customLabels(fields: readonly CustomField[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [pathOf(field), labelOf(field.label)]));
}
