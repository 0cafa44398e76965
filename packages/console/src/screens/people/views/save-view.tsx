/** Saves the current filters as a named view. An existing name replaces that view. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { oneLine } from '../../../../../../src/contract/texts/one-line.ts';
import { ApiError } from '../../../api/client/client.ts';
import type { PeopleFilters } from '../../../api/people.ts';
import { changeView, type SavedView, savedViewsQuery, saveView } from '../../../api/saved-views.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Field } from '../../../parts/fields/field.tsx';
import { plain } from '../../../parts/fold-text.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { t } from '../../../parts/translate.ts';
import { toView } from './view-filters.ts';

interface SaveViewProps {
  company: string;
  filters: PeopleFilters;
  views: readonly SavedView[];
  onClose(): void;
}

export function SaveView({ company, filters, views, onClose }: SaveViewProps) {
  const [name, setName] = useState('');
  const [isBlank, setBlank] = useState(false);
  const queries = useQueryClient();
  const same = views.find((view) => plain(view.name) === plain(oneLine(name)));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      same
        ? changeView(company, same.id, toView(filters))
        : saveView(company, { name: oneLine(name), ...toView(filters) }),
    onSuccess: async ({ name: saved }) => {
      await queries.invalidateQueries({ queryKey: savedViewsQuery(company).queryKey });
      toast(t`View “${saved}” saved`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBlank(!oneLine(name));
    if (oneLine(name)) mutate();
  };
  const fault = error instanceof ApiError ? error.fault('name') : undefined;
  return (
    <Dialog
      open
      title={t`Save this view`}
      about={t`Filters and order, for you alone, on every device.`}
      onClose={onClose}
    >
      <form className="form" noValidate onSubmit={submit}>
        <Field
          label={t`Name`}
          required
          hint={same && t`You have a view of this name. It will show this list from now on.`}
          fault={isBlank ? t`Give the view a name.` : fault}
        >
          {(described) => (
            <input
              {...described}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => {
                setName(target.value);
                setBlank(false);
              }}
            />
          )}
        </Field>
        {error && !fault ? <Problem error={error} /> : null}
        <div className="actions">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" kind="primary" busy={isPending}>
            {same ? t`Replace` : t`Save`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
