/** Changes a person: only what was changed is sent, against the version that was read. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import { Refusal } from '../../api/client.ts';
import { changePerson, type Person, type PersonChange, personQuery, type Versioned } from '../../api/people.ts';
import { Button } from '../../parts/button.tsx';
import { Conflict, differing } from '../../parts/conflict.tsx';
import { Field } from '../../parts/field.tsx';
import { Hidden } from '../../parts/hidden.tsx';
import { fieldLabels } from '../../parts/names.ts';
import { PersonField, usePicked } from '../../parts/person-field.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toasts.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { t } from '../../parts/words.ts';
import { type FieldName, fieldNames, longest, mayWrite, requiredFields, type Standing } from './fields.ts';
import { contactFieldNames } from './names.ts';
import { changeOf, type Inputs, inputsOf } from './profile-inputs.ts';
import { isSuggested, ValueField } from './value-field.tsx';

interface FormProps {
  company: string;
  known: Versioned;
  standing: Standing;
  onDone(): void;
}

export function ProfileForm({ company, known, standing, onDone }: FormProps) {
  const queries = useQueryClient();
  const [base, setBase] = useState(known);
  const [theirs, setTheirs] = useState<Versioned>();
  const { register, handleSubmit, getValues, reset, watch, setValue, formState } = useForm<Inputs>({
    defaultValues: inputsOf(base.person),
  });
  const manager = usePicked();
  // A recent sign-in shows the salary: it joins what was read before, and what was typed stays.
  useEffect(() => {
    if (!isHidden(base.person) || isHidden(known.person)) return;
    const { salary } = inputsOf(known.person);
    const isSame =
      differing(inputsOf(base.person), { ...inputsOf(known.person), salary: '' }, inputsOf(base.person)).length === 0;
    const { restricted_fields: _, ...person } = base.person;
    setBase({ person: { ...person, salary: known.person.salary }, etag: isSame ? known.etag : base.etag });
    setValue('salary', salary);
  }, [base, known, setValue]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ change, etag }: { change: PersonChange; etag: string | null }) =>
      changePerson(company, base.person.id, change, etag),
    onSuccess: async () => {
      toast(t`Saved`);
      await queries.invalidateQueries({ queryKey: [company, 'people'] });
      onDone();
    },
    onError: async (refused) => {
      if (refused instanceof Refusal && refused.status === 412) {
        setTheirs(await queries.fetchQuery({ ...personQuery(company, base.person.id), staleTime: 0 }));
      }
    },
  });
  const save = (inputs: Inputs, against = base) => {
    const change = changeOf(inputsOf(base.person), inputs);
    if (Object.keys(change).length === 0) onDone();
    else mutate({ change, etag: against.etag });
  };
  const refusal = error instanceof Refusal && error.status !== 412 ? error : undefined;
  const hidden = new Set(base.person.restricted_fields);
  const names = fieldNames.filter((name) => mayWrite(name, standing) && !hidden.has(name));
  return (
    <section className="panel" aria-labelledby="edit">
      <h2 id="edit">{t`Edit`}</h2>
      {theirs && (
        <Conflict
          fields={differences(inputsOf(base.person), inputsOf(theirs.person), getValues())}
          onMine={() => {
            save(getValues(), theirs);
            setTheirs(undefined);
          }}
          onTheirs={() => {
            setBase(theirs);
            reset(inputsOf(theirs.person));
            setTheirs(undefined);
          }}
        />
      )}
      {error && !theirs && <Problem error={error} />}
      <form className="form two" noValidate onSubmit={handleSubmit((inputs) => manager.isPicked() && save(inputs))}>
        <Unsaved isDirty={formState.isDirty} />
        {names.map((name) =>
          name === 'emergency_contact' ? (
            <Contact key={name} register={register} fault={refusal?.faultsUnder(name)} />
          ) : name === 'manager_id' ? (
            <PersonField
              label={t`Manager`}
              key={name}
              company={company}
              value={watch('manager_id')}
              not={base.person.id}
              fault={manager.fault ?? refusal?.fault(name)}
              onChange={(id) => setValue('manager_id', id, { shouldDirty: true })}
              onTyped={manager.onTyped}
            />
          ) : isSuggested(name) ? (
            <ValueField
              key={name}
              company={company}
              name={name}
              value={watch(name)}
              fault={refusal?.fault(name)}
              onChange={(value) => setValue(name, value, { shouldDirty: true })}
            />
          ) : (
            <OneField key={name} name={name} register={register} fault={refusal?.fault(name)} />
          ),
        )}
        {hidden.has('salary') && mayWrite('salary', standing) && (
          <div className="field">
            <span>{fieldLabels().salary}</span>
            <Hidden company={company} field="salary" />
          </div>
        )}
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

function isHidden(person: Person): boolean {
  return person.restricted_fields?.includes('salary') ?? false;
}

function differences(read: Inputs, now: Inputs, mine: Inputs) {
  return differing(read, now, mine).map((name) => ({
    name,
    label: fieldLabels()[name],
    now: now[name],
    mine: mine[name],
  }));
}

interface OneFieldProps {
  name: FieldName;
  register: UseFormRegister<Inputs>;
  fault: string | undefined;
}

const types: Partial<Record<FieldName, string>> = {
  email: 'email',
  phone: 'tel',
  hire_date: 'date',
  termination_date: 'date',
  salary: 'number',
};

export function OneField({ name, register, fault }: OneFieldProps) {
  const type = types[name] ?? 'text';
  return (
    <Field label={fieldLabels()[name]} fault={fault} required={requiredFields.includes(name)}>
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

function Contact({ register, fault }: Pick<OneFieldProps, 'register' | 'fault'>) {
  return (
    <fieldset className="full">
      <legend>{t`Emergency contact`}</legend>
      {fault && <p className="fault">{fault}</p>}
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
