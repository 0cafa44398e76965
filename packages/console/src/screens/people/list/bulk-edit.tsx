/** Bulk edit of one field: a dry run first, then the change. */
import { type ReactNode, useRef, useState } from 'react';
import type { CustomField } from '../../../api/custom-fields.ts';
import { type BulkItem, bulkLimit, type SelectedPerson } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { fieldMessages, Problem } from '../../../parts/errors/problem.tsx';
import { isComplete } from '../../../parts/fields/complete.ts';
import { CustomInput } from '../../../parts/fields/custom-input.tsx';
import { type CustomInputValue, inputValueOf, labelOf, sentValue } from '../../../parts/fields/custom-values.ts';
import { PersonField, usePersonSelection } from '../../../parts/fields/person-field.tsx';
import { number } from '../../../parts/format.ts';
import { fieldLabels } from '../../../parts/names.ts';
import { toast } from '../../../parts/toasts/toasts.tsx';
import { t, tn } from '../../../parts/translate.ts';
import { personStatusNames } from '../names.ts';
import { ValueField } from '../value-field.tsx';
import { type BulkResults, countOf, useBulkUpdate } from './use-bulk-update.ts';

export type BulkField = 'department' | 'location' | 'manager_id' | 'status';

interface BulkEditProps {
  company: string;
  field: BulkField | CustomField;
  people: readonly SelectedPerson[];
  onClose(): void;
  onDone(): void;
}

export function BulkEdit({ company, field, people, onClose, onDone }: BulkEditProps) {
  const customField = typeof field === 'string' ? undefined : field;
  const label = customField ? labelOf(customField.label) : fieldLabels()[field as BulkField];
  const [value, setValue] = useState<CustomInputValue>(
    customField ? inputValueOf(customField, null) : field === 'status' ? 'inactive' : '',
  );
  const manager = usePersonSelection();
  const isClosed = useRef(false);
  const toChange = customField
    ? { custom_fields: { [customField.key]: sentValue(customField, value) } }
    : { [field as BulkField]: textOf(value) || null };
  const items = people.map(({ id }): BulkItem => ({ id, ...toChange }));
  const check = useBulkUpdate(company, items, true);
  const change = useBulkUpdate(company, items, false, (results) => {
    const changed = countOf(results, 'updated');
    toast(tn(changed, t`${number(changed)} person was changed`, t`${number(changed)} people were changed`));
    if (!isClosed.current && results.length === items.length && countOf(results, 'failed') === 0) {
      onDone();
      onClose();
    }
  });
  const close = () => {
    isClosed.current = true;
    check.stop();
    change.stop();
    onClose();
  };
  const isStarted = change.isPending || change.results.length > 0;
  const shown = isStarted ? change : check;
  const error = change.error ?? check.error;
  const set = (to: CustomInputValue) => {
    setValue(to);
    check.reset();
    change.reset();
  };
  const isMissing = field === 'department' && !textOf(value);
  const willChange = countOf(check.results.slice(change.results.length), 'updated');
  const isPending = check.isPending || change.isPending;
  const isLong = items.length > bulkLimit;
  const locked = change.isPending && !isLong; // a single request can't be stopped
  return (
    <Dialog
      open
      title={tn(
        people.length,
        t`${label} of ${number(people.length)} person`,
        t`${label} of ${number(people.length)} people`,
      )}
      about={
        customField
          ? t`The value that all of them will have. Leave it empty to clear it.`
          : abouts()[field as BulkField]
      }
      locked={locked}
      onClose={close}
    >
      {customField ? (
        <CustomInput field={customField} value={value} onChange={set} />
      ) : (
        <Value company={company} field={field as BulkField} value={textOf(value)} onChange={set} manager={manager} />
      )}
      {isLong && (isPending || shown.error) && (
        <>
          <progress className="full" max={items.length} value={shown.results.length} aria-label={t`Progress`} />
          <p className="quiet" role="status">{t`${number(shown.results.length)} of ${number(items.length)}`}</p>
        </>
      )}
      {shown.results.length > 0 && <Outcome results={shown.results} people={people} isDone={isStarted} />}
      {error && <Problem error={error} />}
      <div className="actions">
        <Button disabled={locked} onClick={close}>
          {isLong && isPending ? t`Stop` : change.results.length > 0 ? t`Close` : t`Cancel`}
        </Button>
        {!check.isSuccess && (
          <Button
            kind="primary"
            disabled={isMissing}
            busy={check.isPending}
            onClick={(event) =>
              manager.isPicked() && isComplete(event.currentTarget.closest('.dialog')) && check.start()
            }
          >
            {t`Check`}
          </Button>
        )}
        {check.isSuccess && !change.isSuccess && (
          <Button kind="primary" disabled={willChange === 0} busy={change.isPending} onClick={change.start}>
            {tn(willChange, t`Change ${number(willChange)} person`, t`Change ${number(willChange)} people`)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function textOf(value: CustomInputValue): string {
  return Array.isArray(value) ? '' : value.trim();
}

const abouts = () => ({
  department: t`The department that all of them will have.`,
  location: t`The location that all of them will have. Leave it empty to clear it.`,
  manager_id: t`The person that all of them will report to. Leave it empty to clear it.`,
  status: t`People who are deactivated lose access to the company now. Their records stay.`,
});

interface ValueProps {
  company: string;
  field: BulkField;
  value: string;
  onChange(value: string): void;
  manager: ReturnType<typeof usePersonSelection>;
}

function Value({ company, field, value, onChange, manager }: ValueProps): ReactNode {
  if (field === 'manager_id') {
    return (
      <PersonField
        label={t`Manager`}
        company={company}
        value={value}
        error={manager.error}
        onChange={onChange}
        onTyped={manager.onTyped}
      />
    );
  }
  if (field === 'status') {
    return (
      <label className="field short">
        <span>{t`Status`}</span>
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          {(['inactive', 'active'] as const).map((status) => (
            <option key={status} value={status}>
              {personStatusNames()[status]}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return <ValueField company={company} name={field} value={value} error={undefined} onChange={onChange} />;
}

interface OutcomeProps {
  results: BulkResults;
  people: readonly SelectedPerson[];
  isDone: boolean;
}

const maxVisible = 20;

/** Result of the bulk edit, with failures by name and message. */
function Outcome({ results, people, isDone }: OutcomeProps) {
  const [changed, unchanged] = [countOf(results, 'updated'), countOf(results, 'unchanged')];
  const failed = results.filter(({ status }) => status === 'failed');
  return (
    <div role="status">
      <p>
        {isDone
          ? tn(changed, t`${number(changed)} person was changed.`, t`${number(changed)} people were changed.`)
          : tn(changed, t`${number(changed)} person will change.`, t`${number(changed)} people will change.`)}{' '}
        {unchanged > 0 &&
          tn(
            unchanged,
            t`${number(unchanged)} already has this value.`,
            t`${number(unchanged)} already have this value.`,
          )}
      </p>
      {failed.length > 0 && (
        <>
          <p className="field-error">
            {tn(
              failed.length,
              t`${number(failed.length)} person can't be changed:`,
              t`${number(failed.length)} people can't be changed:`,
            )}
          </p>
          <ul>
            {failed.slice(0, maxVisible).map(({ index, error }) => (
              <li key={index}>
                {people[index]?.name}: {fieldMessages(error?.details) || error?.message}
              </li>
            ))}
          </ul>
          {failed.length > maxVisible && <p>{t`and ${number(failed.length - maxVisible)} more`}</p>}
        </>
      )}
    </div>
  );
}
