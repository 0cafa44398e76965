/** Creates a custom field from an unmapped column, starting from the service's suggestion. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/client/client.ts';
import { type CustomField, createField } from '../../../api/custom-fields.ts';
import type { SuggestedField } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { Field } from '../../../parts/fields/field.tsx';
import { t } from '../../../parts/translate.ts';
import { hasOptions, types } from '../../fields/field-inputs.ts';
import { settingNames, typeNames } from '../../fields/names.ts';

interface CreateFieldProps {
  company: string;
  header: string;
  suggested: SuggestedField;
  onCreated(): void;
}

export function CreateField({ company, header, suggested, onCreated }: CreateFieldProps) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [label, setLabel] = useState(suggested.label.default);
  const [type, setType] = useState<CustomField['type']>(suggested.type);
  const { key, options } = suggested;
  const { mutate, isPending, error } = useMutation({
    // With an edited label, the column still matches the key, which was derived from its header.
    mutationFn: () =>
      createField(company, { key, label: { default: label.trim() }, type, ...(hasOptions(type) && { options }) }),
    onSuccess: async () => {
      setOpen(false);
      onCreated();
      await queries.invalidateQueries({ queryKey: [company, 'custom-fields'] });
    },
  });
  const refusal = error instanceof ApiError ? error : undefined;
  const allowedTypes = types.filter((each) => !hasOptions(each) || options.length > 0);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <span>{t`Create a field`}</span> <span className="unseen">{header}</span>
      </Button>
      <Confirm
        open={isOpen}
        title={t`Create a field from column ${header}`}
        about={t`Admins see and change its values at first. Change that under Fields.`}
        actionLabel={t`Create a field`}
        busy={isPending}
        error={error}
        onClose={() => setOpen(false)}
        onConfirm={() => mutate()}
      >
        <Field label={settingNames().label} error={refusal?.fieldError('label.default')} required>
          {(described) => (
            <input
              {...described}
              value={label}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => setLabel(target.value)}
            />
          )}
        </Field>
        <Field
          label={settingNames().type}
          hint={hasOptions(type) ? t`Values: ${options.map((option) => option.label.default).join(', ')}` : undefined}
          error={refusal?.fieldError('type') ?? refusal?.errorsUnder('options')}
        >
          {(described) => (
            <select {...described} value={type} onChange={({ target }) => setType(target.value as CustomField['type'])}>
              {allowedTypes.map((each) => (
                <option key={each} value={each}>
                  {typeNames()[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Confirm>
    </>
  );
}
