/** Edits a person: sends only changed fields, conditional on the loaded version. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import { ApiError } from '../../../api/client/client.ts';
import type { CustomField } from '../../../api/custom-fields.ts';
import {
  changePerson,
  type Person,
  type PersonChange,
  personQuery,
  type VersionedPerson,
} from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Conflict, differingFields, isConflict } from '../../../parts/errors/conflict.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { isComplete } from '../../../parts/fields/complete.ts';
import { labelOf, sentValue, valueText } from '../../../parts/fields/custom-values.ts';
import { Field } from '../../../parts/fields/field.tsx';
import { Form } from '../../../parts/fields/form.tsx';
import { PersonField, usePersonSelection } from '../../../parts/fields/person-field.tsx';
import { Unsaved } from '../../../parts/fields/unsaved.tsx';
import { Hidden } from '../../../parts/hidden.tsx';
import { fieldLabels } from '../../../parts/names.ts';
import { toast } from '../../../parts/toasts/toasts.tsx';
import { t } from '../../../parts/translate.ts';
import { type FieldName, fieldNames, longest, mayWrite, type Relation, requiredFields } from '../fields.ts';
import { formatField } from '../format-field.ts';
import { contactFieldNames } from '../names.ts';
import { PersonName } from '../person-name.tsx';
import { isSuggested, ValueField } from '../value-field.tsx';
import { CustomInputs, customLabels, pathOf } from './custom-inputs.tsx';
import { directoryOf, ManagedField } from './managed-field.tsx';
import { changeOf, type Inputs, inputsOf } from './profile-inputs.ts';

interface FormProps {
  company: string;
  known: VersionedPerson;
  fields: readonly CustomField[];
  relation: Relation;
  onDone(): void;
}

export function ProfileForm({ company, known, fields, relation, onDone }: FormProps) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [newerVersion, setNewerVersion] = useState<VersionedPerson>();
  const form = useForm<Inputs>({ defaultValues: inputsOf(base.person, fields) });
  const { register, handleSubmit, getValues, reset, watch, setValue, formState } = form;
  const manager = usePersonSelection();
  // A recent sign-in reveals more fields: merge them in, and keep the user's input.
  useEffect(() => {
    const { person, names } = withRevealed(base.person, known.person);
    if (names.length === 0) return;
    const [before, current] = [inputsOf(person, fields), inputsOf(known.person, fields)];
    const isSame = differingFields(before, current, before).length === 0;
    setBase({ person, etag: isSame ? known.etag : base.etag });
    if (names.includes('salary')) setValue('salary', current.salary);
    for (const { key } of fields) if (names.includes(pathOf({ key }))) setValue(`custom.${key}`, current.custom[key]!);
  }, [base, known, fields, setValue]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ change, etag }: { change: PersonChange; etag: string | null }) =>
      changePerson(company, base.person.id, change, etag),
    onSuccess: async () => {
      toast(t`Saved`);
      await queries.invalidateQueries({ queryKey: [company, 'people'] });
      onDone();
    },
    onError: async (refused) => {
      if (isConflict(refused)) {
        setNewerVersion(await queries.fetchQuery({ ...personQuery(company, base.person.id), staleTime: 0 }));
      }
    },
  });
  const save = (inputs: Inputs, against = base) => {
    const change = changeOf(inputsOf(base.person, fields), inputs, fields);
    if (Object.keys(change).length === 0) onDone();
    else mutate({ change, etag: against.etag });
  };
  const refusal = error instanceof ApiError && error.status !== 412 ? error : undefined;
  const hidden = new Set(base.person.restricted_fields);
  const names = fieldNames.filter((name) => mayWrite(name, relation) && !hidden.has(name));
  const fieldText = (name: FieldName) =>
    name === 'manager_id' ? (
      <PersonName company={company} id={base.person.manager_id} />
    ) : (
      formatField(name, base.person[name])
    );
  return (
    <section className="panel" aria-labelledby="edit">
      <h2 id="edit">{t`Edit`}</h2>
      {newerVersion && (
        <Conflict
          fields={differences(
            company,
            inputsOf(base.person, fields),
            inputsOf(newerVersion.person, fields),
            getValues(),
            fields,
          )}
          onSaveOwn={() => {
            save(getValues(), newerVersion);
            setNewerVersion(undefined);
          }}
          onKeepCurrent={() => {
            setBase(newerVersion);
            reset(inputsOf(newerVersion.person, fields));
            setNewerVersion(undefined);
          }}
        />
      )}
      {error && !newerVersion && (
        <Problem error={error} names={() => ({ ...fieldLabels(), ...customLabels(fields) })} />
      )}
      <Form
        busy={isPending}
        className="form two"
        noValidate
        onSubmit={handleSubmit((inputs, event) => manager.isPicked() && isComplete(event?.target) && save(inputs))}
      >
        <Unsaved isDirty={formState.isDirty} busy={isPending} />
        {names.map((name) => {
          const by = directoryOf(base.person, name);
          if (by) return <ManagedField key={name} label={fieldLabels()[name]} value={fieldText(name)} by={by} />;
          return name === 'emergency_contact' ? (
            <Contact key={name} register={register} error={refusal?.errorsUnder(name)} />
          ) : name === 'manager_id' ? (
            <PersonField
              label={t`Manager`}
              key={name}
              company={company}
              value={watch('manager_id')}
              excludedId={base.person.id}
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
          );
        })}
        {hidden.has('salary') && mayWrite('salary', relation) && (
          <div className="field">
            <span>{fieldLabels().salary}</span>
            <Hidden company={company} field="salary" />
          </div>
        )}
        <CustomInputs
          company={company}
          person={base.person}
          fields={fields}
          hidden={hidden}
          relation={relation}
          form={form}
          refusal={refusal}
        />
        <div className="actions full">
          <Button onClick={onDone}>{t`Cancel`}</Button>
          <Button type="submit" kind="primary" busy={isPending}>
            {t`Save`}
          </Button>
        </div>
      </Form>
    </section>
  );
}

/** The version read first, plus fields that only a later read reveals, and their names. */
function withRevealed(before: Person, current: Person): { person: Person; names: string[] } {
  const { restricted_fields: hidden = [], ...person } = before;
  const stillHidden = current.restricted_fields ?? [];
  const names = hidden.filter((name) => !stillHidden.includes(name));
  const custom = Object.entries(current.custom_fields).filter(([key]) => names.includes(pathOf({ key })));
  return {
    names,
    person: {
      ...person,
      ...(names.includes('salary') && { salary: current.salary }),
      custom_fields: { ...before.custom_fields, ...Object.fromEntries(custom) },
      ...(stillHidden.length > 0 && { restricted_fields: stillHidden }),
    },
  };
}

function differences(
  company: string,
  original: Inputs,
  current: Inputs,
  edited: Inputs,
  fields: readonly CustomField[],
) {
  const { custom: _, ...names } = original;
  const plain = differingFields(names, current, edited).map((name) => ({
    name,
    label: fieldLabels()[name],
    current: <PlainValue company={company} name={name} value={current[name]} />,
    edited: <PlainValue company={company} name={name} value={edited[name]} />,
  }));
  const own = differingFields(original.custom, current.custom, edited.custom).map((key) => {
    const field = fields.find((each) => each.key === key)!;
    const formatField = (inputs: Inputs) => valueText(field, sentValue(field, inputs.custom[key]!)) ?? '';
    return {
      name: pathOf(field),
      label: labelOf(field.label),
      current: formatField(current),
      edited: formatField(edited),
    };
  });
  return [...plain, ...own];
}

/** An input's value, as the profile shows it. */
function PlainValue({ company, name, value }: { company: string; name: string; value: string }) {
  if (name === 'manager_id') return <PersonName company={company} id={value} />;
  return formatField(name, value) ?? '–';
}

interface OneFieldProps {
  name: FieldName;
  register: UseFormRegister<Inputs>;
  error: string | undefined;
}

const types: Partial<Record<FieldName, string>> = {
  email: 'email',
  phone: 'tel',
  hire_date: 'date',
  termination_date: 'date',
  salary: 'number',
};

export function OneField({ name, register, error: fieldError }: OneFieldProps) {
  const type = types[name] ?? 'text';
  return (
    <Field label={fieldLabels()[name]} error={fieldError} required={requiredFields.includes(name)}>
      {(described) => (
        <input
          {...described}
          {...register(name)}
          type={type}
          autoComplete="off"
          maxLength={longest[name]}
          {...(name === 'salary' && { min: 0, step: '0.01' })}
        />
      )}
    </Field>
  );
}

function Contact({ register, error: fieldError }: Pick<OneFieldProps, 'register' | 'error'>) {
  return (
    <fieldset className="full">
      <legend>{t`Emergency contact`}</legend>
      {fieldError && <p className="field-error">{fieldError}</p>}
      {(['contact_name', 'contact_phone', 'contact_relationship'] as const).map((name) => (
        <Field key={name} label={contactFieldNames()[name]}>
          {(described) => (
            <input
              {...described}
              {...register(name)}
              autoComplete="off"
              maxLength={name === 'contact_name' ? 200 : 100}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}
