/** Column mapping: the detected field of each column, with a choice to override it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { customFieldsQuery } from '../../../api/custom-fields.ts';
import type { DateOrder, Import, ImportField } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { named, t } from '../../../parts/translate.ts';
import { customLabels } from '../../people/person/custom-inputs.tsx';
import { DropFile } from '../file/drop-file.tsx';
import { optionsOf } from '../file/import-options.ts';
import { storedFileFor } from '../file/uploaded-file.ts';
import { useCheck } from '../file/use-check.ts';
import { dateOrderNames } from '../names.ts';
import { ColumnRow } from './column-row.tsx';
import { useHeaderErrors } from './use-header-errors.ts';

const orders: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];
const dates = ['hire_date', 'termination_date'];

type Mapping = Record<string, ImportField | null>;

export function Columns({ company, job }: { company: string; job: Import }) {
  const stored = storedFileFor(job.id);
  const before = { ...stored?.options, ...optionsOf(job) };
  const [mapping, setMapping] = useState(() => ofThisFile(before.mapping, job));
  const [createdFields, setCreatedFields] = useState<readonly string[]>([]);
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  const labels = customLabels(custom.filter(({ sensitive }) => !sensitive));
  const [dateOrder, setOrder] = useState<DateOrder | undefined>(before.date_order);
  const { errors, ofFile } = useHeaderErrors(company, job);
  const check = useCheck(company, job);
  const options = { ...before, mapping, date_order: dateOrder };
  const isChanged =
    createdFields.length > 0 ||
    dateOrder !== before.date_order ||
    JSON.stringify(mapping) !== JSON.stringify(before.mapping);
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">{t`Columns`}</h2>
      <p className="quiet">{t`The field of each column in the file. Change the ones that are wrong.`}</p>
      {check.error && <Problem error={check.error} />}
      {ofFile.map(({ message }) => (
        <p key={message} className="field-error">
          {message}
        </p>
      ))}
      <div className="table">
        <table aria-labelledby="columns">
          <thead>
            <tr>
              <th scope="col">{t`Column in the file`}</th>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Note`}</th>
            </tr>
          </thead>
          <tbody>
            {job.columns.map((column) => (
              <ColumnRow
                key={column.column}
                company={company}
                column={column}
                custom={labels}
                isCreated={createdFields.includes(column.header)}
                onCreated={() => {
                  setCreatedFields([...createdFields, column.header]);
                  // A mapping to null would still ignore the column, so drop the entry.
                  const { [column.header]: _, ...rest } = mapping;
                  setMapping(rest);
                }}
                chosen={Object.hasOwn(mapping, column.header) ? mapping[column.header] : undefined}
                isNew={mapping[column.header] !== before.mapping[column.header]}
                error={errors.get(column.column)}
                onChoose={(field) => setMapping((now) => ({ ...now, [column.header]: field }))}
              />
            ))}
          </tbody>
        </table>
      </div>
      {job.columns.some(({ field }) => dates.includes(field ?? '')) && (
        <label className="field short">
          <span>{t`Dates written as text`}</span>
          <select
            value={dateOrder ?? ''}
            onChange={({ target }) => setOrder((target.value || undefined) as DateOrder | undefined)}
          >
            <option value="">{t`in the only order that fits`}</option>
            {orders.map((order) => (
              <option key={order} value={order}>
                {named(dateOrderNames, order)}
              </option>
            ))}
          </select>
        </label>
      )}
      {isChanged && <Recheck company={company} job={job} options={options} />}
    </section>
  );
}

/** A corrected file may lack a mapped header: drop that entry. */
function ofThisFile(mapping: Mapping, { columns }: Import): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => columns.some(({ header }) => header === name)));
}

interface RecheckProps {
  company: string;
  job: Import;
  options: ReturnType<typeof optionsOf>;
}

/** Rechecks the kept file; after a reload, the user picks it again. */
function Recheck({ company, job, options }: RecheckProps) {
  const { mutate, isPending, error } = useCheck(company, job);
  const stored = storedFileFor(job.id);
  if (!stored)
    return (
      <DropFile
        company={company}
        label={t`Choose the file again to check it with these columns`}
        options={options}
        before={job}
      />
    );
  return (
    <>
      {error && <Problem error={error} />}
      <div className="row">
        <Button kind="primary" busy={isPending} onClick={() => mutate({ file: stored.file, options })}>
          {t`Check the file again`}
        </Button>
      </div>
    </>
  );
}
