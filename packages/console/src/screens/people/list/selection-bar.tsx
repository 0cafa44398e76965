/** Bulk actions for the selected people. */
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { permissionsQuery, sessionQuery } from '../../../api/client/session.ts';
import { type CustomField, customFieldsQuery } from '../../../api/custom-fields.ts';
import { bulkLimit, type SelectedPerson } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { labelOf } from '../../../parts/fields/custom-values.ts';
import { number } from '../../../parts/format.ts';
import { fieldLabels } from '../../../parts/names.ts';
import { t, tn } from '../../../parts/translate.ts';
import { mayWriteCustom } from '../fields.ts';
import { BulkEdit, type BulkField } from './bulk-edit.tsx';
import { BulkInvite } from './bulk-invite.tsx';

interface BarProps {
  company: string;
  chosen: readonly SelectedPerson[];
  total: number;
  findAll(): Promise<SelectedPerson[]>;
  onAll(people: readonly SelectedPerson[]): void;
  onClear(): void;
}

const fields: readonly BulkField[] = ['department', 'location', 'manager_id', 'status'];

export function SelectionBar({ company, chosen, total, findAll, onAll, onClear }: BarProps) {
  const [openDialog, setOpenDialog] = useState<BulkField | CustomField | 'invite'>();
  const { data: rights } = useQuery(permissionsQuery(company));
  const customFields = useEditableFields(company);
  const all = useMutation({ mutationFn: findAll });
  const canBeInvited = chosen.filter(({ status }) => status !== 'inactive');
  const onClose = () => setOpenDialog(undefined);
  return (
    <section className="selection" aria-label={t`Selected people`}>
      <strong role="status">
        {tn(chosen.length, t`${number(chosen.length)} person selected`, t`${number(chosen.length)} people selected`)}
      </strong>
      {chosen.length < Math.min(total, bulkLimit) && (
        <Button kind="quiet" busy={all.isPending} onClick={() => all.mutate(undefined, { onSuccess: onAll })}>
          {total > bulkLimit ? t`Select the first ${number(bulkLimit)}` : t`Select all ${number(total)}`}
        </Button>
      )}
      <div className="row">
        <span className="quiet">{t`Change:`}</span>
        {fields.map((field) => (
          <Button key={field} onClick={() => setOpenDialog(field)}>
            {fieldLabels()[field]}
          </Button>
        ))}
        {customFields.length > 0 && (
          <select
            className="own-fields"
            aria-label={t`Custom field`}
            value=""
            onChange={({ target }) => setOpenDialog(customFields.find(({ key }) => key === target.value))}
          >
            <option value="">{t`Custom field`}</option>
            {customFields.map(({ key, label }) => (
              <option key={key} value={key}>
                {labelOf(label)}
              </option>
            ))}
          </select>
        )}
        {rights?.has('sendInvitation') && canBeInvited.length > 0 && (
          <Button onClick={() => setOpenDialog('invite')}>{t`Invite`}</Button>
        )}
        <Button kind="quiet" onClick={onClear}>{t`Clear selection`}</Button>
      </div>
      {all.error && <Problem error={all.error} />}
      {openDialog === 'invite' && (
        <BulkInvite company={company} people={canBeInvited} onClose={onClose} onDone={onClear} />
      )}
      {openDialog && openDialog !== 'invite' && (
        <BulkEdit company={company} field={openDialog} people={chosen} onClose={onClose} onDone={onClear} />
      )}
    </section>
  );
}

/** Custom fields that support bulk edit and that the reader may write. */
function useEditableFields(company: string): CustomField[] {
  const { data: fields = [] } = useQuery(customFieldsQuery(company));
  const { data: session } = useSuspenseQuery(sessionQuery);
  const relation = session.companies.find(({ id }) => id === company)?.role === 'admin' ? 'admin' : 'manager';
  return fields.filter((field) => !field.unique && mayWriteCustom(field, relation));
}
