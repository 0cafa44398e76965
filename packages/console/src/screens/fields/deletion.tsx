/** Deletes a field after the user types its key, and shows the progress. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type CustomField, deleteField } from '../../api/custom-fields.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { Field } from '../../parts/fields/field.tsx';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { number } from '../../parts/format.ts';
import { t, tn } from '../../parts/translate.ts';

export function DeletionProgress({ deletion }: { deletion: NonNullable<CustomField['deletion']> }) {
  const id = useId();
  const { people_total: total, people_done: done } = deletion;
  return (
    <>
      <p id={id} role="status" className="quiet">
        {tn(
          total,
          t`Deleting: ${number(done)} of ${number(total)} person done.`,
          t`Deleting: ${number(done)} of ${number(total)} people done.`,
        )}
      </p>
      <progress className="full" max={Math.max(total, 1)} value={done} aria-labelledby={id} />
    </>
  );
}

export function DeleteField({ company, field }: { company: string; field: CustomField }) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <section className="panel" aria-labelledby="delete">
      <h2 id="delete">{t`Delete`}</h2>
      <p>{t`Erases the field and all its values, also in the history. This can't be undone.`}</p>
      <Button kind="danger" onClick={() => setConfirming(true)}>
        {t`Delete the field`}
      </Button>
      {isConfirming && <DeleteDialog company={company} field={field} onClose={() => setConfirming(false)} />}
    </section>
  );
}

function DeleteDialog({ company, field, onClose }: { company: string; field: CustomField; onClose(): void }) {
  const queries = useQueryClient();
  const leave = useLeave();
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteField(company, field.key, typed),
    onSuccess: async () => {
      await leave({ to: '/$company/fields', params: { company } });
      await queries.invalidateQueries({ queryKey: [company] });
    },
  });
  const isConfirmed = typed === field.key;
  return (
    <Dialog
      open
      title={t`Delete ${labelOf(field.label)}?`}
      about={t`Everyone's value of this field is erased, also in the history. This can't be undone.`}
      onClose={onClose}
      locked={isPending}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) mutate();
        }}
      >
        <Field label={t`Type ${field.key} to confirm`}>
          {(described) => (
            <input
              {...described}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {error && <Problem error={error} />}
        <div className="actions">
          <Button disabled={isPending} onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="danger" type="submit" disabled={!isConfirmed} busy={isPending}>
            {t`Delete the field`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
