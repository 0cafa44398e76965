/** Creates a custom field. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { permissionsQuery } from '../../api/client/session.ts';
import { createField } from '../../api/custom-fields.ts';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Heading } from '../../parts/small.tsx';
import { toast } from '../../parts/toasts/toasts.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { FieldForm } from './field-form.tsx';
import { type FieldInputs, newFieldOf, noField } from './field-inputs.ts';
import { FieldsPath } from './fields-path.tsx';

export function NewField() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const queries = useQueryClient();
  const leave = useLeave();
  const form = useForm<FieldInputs>({ defaultValues: noField });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (inputs: FieldInputs) => createField(company, newFieldOf(inputs)),
    onSuccess: async ({ label }) => {
      toast(t`${labelOf(label)} was added`);
      await queries.invalidateQueries({ queryKey: [company, 'custom-fields'] });
      await leave({ to: '/$company/fields', params: { company } });
    },
  });
  return (
    <>
      <FieldsPath company={company} />
      <Heading title={t`Define a field`} />
      {rights?.has('createCustomField') ? (
        <FieldForm
          form={form}
          isNew
          actionLabel={t`Define the field`}
          busy={isPending}
          error={error}
          onSubmit={(inputs) => mutate(inputs)}
        />
      ) : (
        <Forbidden />
      )}
    </>
  );
}
