/** Adds a person (admins only); the invitation is sent from the person's screen. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { ApiError } from '../../../api/client/client.ts';
import { permissionsQuery } from '../../../api/client/session.ts';
import { type CustomField, customFieldsQuery } from '../../../api/custom-fields.ts';
import { addPerson, type NewPerson as Body } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { isComplete } from '../../../parts/fields/complete.ts';
import { Form } from '../../../parts/fields/form.tsx';
import { PersonField, usePersonSelection } from '../../../parts/fields/person-field.tsx';
import { Unsaved, useLeave } from '../../../parts/fields/unsaved.tsx';
import { Forbidden } from '../../../parts/frame/forbidden.tsx';
import { fieldLabels } from '../../../parts/names.ts';
import { Heading, Loading } from '../../../parts/small.tsx';
import { toast } from '../../../parts/toasts/toasts.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';
import { type FieldName, fieldNames } from '../fields.ts';
import { isSuggested, ValueField } from '../value-field.tsx';
import { CustomInputs, customLabels } from './custom-inputs.tsx';
import { OneField } from './profile-form.tsx';
import { changeOf, type Inputs, inputsOf } from './profile-inputs.ts';

const formFields: readonly FieldName[] = fieldNames.filter(
  (name) => name !== 'emergency_contact' && name !== 'termination_date',
);

export function NewPerson() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data: fields, error, refetch } = useQuery(customFieldsQuery(company));
  const may = rights?.has('createCollaborator') ?? false;
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/people" params={{ company }}>
          {t`People`}
        </Link>
      </nav>
      <Heading title={t`Add a person`} />
      {rights && !may && <Forbidden />}
      {error && <Problem error={error} retry={refetch} />}
      {may && !fields && !error && <Loading />}
      {may && fields && <PersonForm company={company} fields={fields} />}
    </>
  );
}

function PersonForm({ company, fields }: { company: string; fields: readonly CustomField[] }) {
  const emptyInputs = inputsOf({}, fields);
  const queries = useQueryClient();
  const leave = useLeave();
  const form = useForm<Inputs>({ defaultValues: emptyInputs });
  const { register, handleSubmit, watch, setValue, formState } = form;
  const manager = usePersonSelection();
  const { mutate, isPending, error } = useMutation({
    // Always sends required fields, even if empty, so that the service reports the error.
    mutationFn: (inputs: Inputs) => {
      const { name, email, position, department } = inputs;
      return addPerson(company, {
        name,
        email,
        position,
        department,
        ...changeOf(emptyInputs, inputs, fields),
      } as Body);
    },
    onSuccess: async ({ id, name }) => {
      toast(t`${name} was added`);
      await queries.invalidateQueries({ queryKey: [company, 'people'] });
      await leave({ to: '/$company/people/$person', params: { company, person: id } });
    },
  });
  const refusal = error instanceof ApiError ? error : undefined;
  return (
    <Form
      busy={isPending}
      className="form two"
      noValidate
      onSubmit={handleSubmit((inputs, event) => manager.isPicked() && isComplete(event?.target) && mutate(inputs))}
    >
      <Unsaved isDirty={formState.isDirty} busy={isPending} />
      <p className="hint full">{t`Fields with * are required.`}</p>
      {error && <Problem error={error} names={() => ({ ...fieldLabels(), ...customLabels(fields) })} />}
      {formFields.map((name) =>
        name === 'manager_id' ? (
          <PersonField
            label={t`Manager`}
            key={name}
            company={company}
            value={watch('manager_id')}
            error={manager.error ?? refusal?.fieldError(name)}
            onChange={(id) => setValue('manager_id', id, { shouldDirty: true })}
            onTyped={manager.onTyped}
          />
        ) : isSuggested(name) ? (
          <ValueField
            key={name}
            company={company}
            name={name}
            value={watch(name)}
            error={refusal?.fieldError(name)}
            onChange={(value) => setValue(name, value, { shouldDirty: true })}
          />
        ) : (
          <OneField key={name} name={name} register={register} error={refusal?.fieldError(name)} />
        ),
      )}
      <CustomInputs
        company={company}
        person={undefined}
        fields={fields}
        hidden={nothing}
        relation="admin"
        form={form}
        refusal={refusal}
      />
      <div className="actions full">
        <Button type="submit" kind="primary" busy={isPending}>
          {t`Add the person`}
        </Button>
      </div>
    </Form>
  );
}

const nothing: ReadonlySet<string> = new Set();
