/** Edits a person: sends only changed fields, conditional on the loaded version. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import { ApiError } from '../../../api/client/client.ts';
import type { CustomField } from '../../../api/custom-fields.ts';
import { changePerson, type Person, type PersonChange, personQuery, type Versioned } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Conflict, differing } from '../../../parts/conflict.tsx';
import { labelOf, sentValue, valueText } from '../../../parts/fields/custom-values.ts';
import { Field } from '../../../parts/fields/field.tsx';
import { PersonField, usePicked } from '../../../parts/fields/person-field.tsx';
import { Unsaved } from '../../../parts/fields/unsaved.tsx';
import { Hidden } from '../../../parts/hidden.tsx';
import { fieldLabels } from '../../../parts/names.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { t } from '../../../parts/translate.ts';
import { type FieldName, fieldNames, longest, mayWrite, type Relation, requiredFields } from '../fields.ts';
import { contactFieldNames } from '../names.ts';
import { PersonName } from '../person-name.tsx';
import { shown } from '../shown.ts';
import { isSuggested, ValueField } from '../value-field.tsx';
import { CustomInputs, customLabels, pathOf } from './custom-inputs.tsx';
import { directoryOf, ManagedField } from './managed-field.tsx';
import { changeOf, type Inputs, inputsOf } from './profile-inputs.ts';

interface FormProps {
  company: string;
  known: Versioned;
  fields: readonly CustomField[];
  standing: Relation;
  onDone(): void;
}

export function ProfileForm({ company, known, fields, standing, onDone }: FormProps) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [theirs, setTheirs] = useState<Versioned>();
  const form = useForm<Inputs>({ defaultValues: inputsOf(base.person, fields) });
  const { register, handleSubmit, getValues, reset, watch, setValue, formState } = form;
  const manager = usePicked();
  // A recent sign-in reveals more fields: merge them in, and keep the user's input.
  useEffect(() => {
    const { person, names } = withShown(base.person, known.person);
    if (names.length === 0) return;
    const [before, now] = [inputsOf(person, fields), inputsOf(known.person, fields)];
    const isSame = differing(before, now, before).length === 0;
    setBase({ person, etag: isSame ? known.etag : base.etag });
    if (names.includes('salary')) setValue('salary', now.salary);
    for (const { key } of fields) if (names.includes(pathOf({ key }))) setValue(`custom.${key}`, now.custom[key]!);
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
      if (refused instanceof ApiError && refused.status === 412) {
        setTheirs(await queries.fetchQuery({ ...personQuery(company, base.person.id), staleTime: 0 }));
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
  const names = fieldNames.filter((name) => mayWrite(name, standing) && !hidden.has(name));
  const shownValue = (name: FieldName) =>
    name === 'manager_id' ? (
      <PersonName company={company} id={base.person.manager_id} />
    ) : (
      shown(name, base.person[name])
    );
  return (
    <section className="panel" aria-labelledby="edit">
      <h2 id="edit">{t`Edit`}</h2>
      {theirs && (
        <Conflict
          fields={differences(inputsOf(base.person, fields), inputsOf(theirs.person, fields), getValues(), fields)}
          onMine={() => {
            save(getValues(), theirs);
            setTheirs(undefined);
          }}
          onTheirs={() => {
            setBase(theirs);
            reset(inputsOf(theirs.person, fields));
            setTheirs(undefined);
          }}
        />
      )}
      {error && !theirs && <Problem error={error} names={() => ({ ...fieldLabels(), ...customLabels(fields) })} />}
      <form className="form two" noValidate onSubmit={handleSubmit((inputs) => manager.isPicked() && save(inputs))}>
        <Unsaved isDirty={formState.isDirty} />
        {names.map((name) => {
          const by = directoryOf(base.person, name);
          if (by) return <ManagedField key={name} label={fieldLabels()[name]} value={shownValue(name)} by={by} />;
          return name === 'emergency_contact' ? (
            <Contact key={name} register={register} error={refusal?.errorsUnder(name)} />
          ) : name === 'manager_id' ? (
            <PersonField
              label={t`Manager`}
              key={name}
              company={company}
              value={watch('manager_id')}
              not={base.person.id}
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
        {hidden.has('salary') && mayWrite('salary', standing) && (
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
          standing={standing}
          form={form}
          refusal={refusal}
        />
        <div className="actions full">
          <Button onClick={onDone}>{t`Cancel`}</Button>
          <Button type="submit" kind="primary" busy={isPending}>
            {t`Save`}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** The version read first, plus fields that only a later read reveals, and their names. */
function withShown(before: Person, now: Person): { person: Person; names: string[] } {
  const { restricted_fields: hidden = [], ...person } = before;
  const left = now.restricted_fields ?? [];
  const names = hidden.filter((name) => !left.includes(name));
  const custom = Object.entries(now.custom_fields).filter(([key]) => names.includes(pathOf({ key })));
  return {
    names,
    person: {
      ...person,
      ...(names.includes('salary') && { salary: now.salary }),
      custom_fields: { ...before.custom_fields, ...Object.fromEntries(custom) },
      ...(left.length > 0 && { restricted_fields: left }),
    },
  };
}

function differences(read: Inputs, now: Inputs, mine: Inputs, fields: readonly CustomField[]) {
  const { custom: _, ...names } = read;
  const plain = differing(names, now, mine).map((name) => ({
    name,
    label: fieldLabels()[name],
    now: now[name],
    mine: mine[name],
  }));
  const own = differing(read.custom, now.custom, mine.custom).map((key) => {
    const field = fields.find((each) => each.key === key)!;
    const shown = (inputs: Inputs) => valueText(field, sentValue(field, inputs.custom[key]!)) ?? '';
    return { name: pathOf(field), label: labelOf(field.label), now: shown(now), mine: shown(mine) };
  });
  return [...plain, ...own];
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
