/** Maps the provider's attributes to custom fields. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { type CustomField, customFieldsQuery } from '../../api/custom-fields.ts';
import { changeDirectory, type Directory, directoryQuery } from '../../api/directories.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { changedOf } from '../../parts/fields/changed.ts';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { Field } from '../../parts/fields/field.tsx';
import { Form } from '../../parts/fields/form.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { useBase } from '../../parts/fields/use-base.ts';
import { Loading } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';

interface OfDirectory {
  company: string;
  directory: Directory;
}

export function FieldMapping({ company, directory }: OfDirectory) {
  const { data, error, refetch } = useQuery(customFieldsQuery(company));
  const fields = data?.filter(({ sensitive }) => !sensitive);
  return (
    <section className="panel" aria-labelledby="field-mapping">
      <h2 id="field-mapping">{t`Custom fields`}</h2>
      <p>{t`Enter the name of the SCIM attribute that fills a field. Sensitive fields can't be filled by a directory.`}</p>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {fields?.length === 0 && <p className="quiet">{t`There are no fields that a directory can fill.`}</p>}
      {fields && fields.length > 0 && <Attributes company={company} directory={directory} fields={fields} />}
    </section>
  );
}

/** Attribute name by field key. */
type Inputs = Record<string, string>;

const attributesIn = (directory: Directory): Inputs =>
  Object.fromEntries(directory.field_mapping.map((entry) => [entry.custom_field, entry.attribute]));

function Attributes({ company, directory, fields }: OfDirectory & { fields: CustomField[] }) {
  const queries = useQueryClient();
  const keys = fields.map(({ key }) => key).join();
  const inputsOf = useCallback(
    (version: Directory): Inputs => ({
      ...Object.fromEntries(keys.split(',').map((key) => [key, ''])),
      ...attributesIn(version),
    }),
    [keys],
  );
  const form = useForm<Inputs>({ defaultValues: inputsOf(directory) });
  const { register, handleSubmit, formState, reset } = form;
  const base = useBase(form, directory, inputsOf);
  const [sent, setSent] = useState<Directory['field_mapping']>([]);
  const { mutate, isPending, error } = useMutation({
    // Another admin may have mapped other fields: changes are added to the newest mapping, without fields that are gone.
    mutationFn: async (change: Partial<Inputs>) => {
      const newest = await queries.fetchQuery({ ...directoryQuery(company, directory.id), staleTime: 0 });
      const known = await queries.fetchQuery({ ...customFieldsQuery(company), staleTime: 0 });
      const inputs: Partial<Inputs> = { ...attributesIn(newest), ...change };
      const mapping = known.flatMap(({ key, sensitive }) => {
        const attribute = inputs[key]?.trim();
        return attribute && !sensitive ? [{ attribute, custom_field: key }] : [];
      });
      setSent(mapping);
      return changeDirectory(company, directory.id, { field_mapping: mapping });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'directories'] }),
  });
  const save = (inputs: Inputs) => mutate(changedOf(inputsOf(base), inputs), { onSuccess: () => reset(inputs) });
  const refusal = error instanceof ApiError ? error : undefined;
  const errorOf = (key: string) => {
    const at = sent.findIndex((entry) => entry.custom_field === key);
    return at < 0 ? undefined : refusal?.errorsUnder(`field_mapping.${at}`);
  };
  return (
    <Form busy={isPending} className="form" noValidate onSubmit={handleSubmit(save)}>
      <Unsaved isDirty={formState.isDirty} busy={isPending} />
      {error ? <Problem error={error} /> : null}
      {fields.map(({ key, label }) => (
        <Field key={key} label={labelOf(label)} error={errorOf(key)}>
          {(described) => (
            <input
              {...described}
              {...register(key)}
              type="text"
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      ))}
      <div className="actions">
        <Button kind="primary" type="submit" busy={isPending}>
          {t`Save the fields`}
        </Button>
      </div>
    </Form>
  );
}
