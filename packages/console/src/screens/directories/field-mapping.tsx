/** Maps the provider's attributes to custom fields. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { type CustomField, customFieldsQuery } from '../../api/custom-fields.ts';
import { changeDirectory, type Directory } from '../../api/directories.ts';
import { Button } from '../../parts/button.tsx';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { Field } from '../../parts/fields/field.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { Problem } from '../../parts/problem.tsx';
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

function Attributes({ company, directory, fields }: OfDirectory & { fields: CustomField[] }) {
  const queries = useQueryClient();
  const known = new Map(directory.field_mapping.map((entry) => [entry.custom_field, entry.attribute]));
  const { register, handleSubmit, formState } = useForm<Inputs>({
    values: Object.fromEntries(fields.map(({ key }) => [key, known.get(key) ?? ''])),
  });
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (mapping: Directory['field_mapping']) =>
      changeDirectory(company, directory.id, { field_mapping: mapping }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'directories'] }),
  });
  const save = (inputs: Inputs) =>
    mutate(
      fields.flatMap(({ key }) => {
        const attribute = inputs[key]?.trim();
        return attribute ? [{ attribute, custom_field: key }] : [];
      }),
    );
  const refusal = error instanceof ApiError ? error : undefined;
  const errorOf = (key: string) => {
    const at = variables?.findIndex((entry) => entry.custom_field === key) ?? -1;
    return at < 0 ? undefined : refusal?.errorsUnder(`field_mapping.${at}`);
  };
  return (
    <form className="form" noValidate onSubmit={handleSubmit(save)}>
      <Unsaved isDirty={formState.isDirty} />
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
    </form>
  );
}
