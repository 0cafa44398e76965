/** Saves the current list as a named view. An existing name replaces that view. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import { ApiError } from '../../api/client/client.ts';
import {
  changeView,
  type NewSavedView,
  type SavedView,
  savedViewsQuery,
  saveView,
  type ViewChange,
} from '../../api/saved-views.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Problem } from '../errors/problem.tsx';
import { Field } from '../fields/field.tsx';
import { plain } from '../fold-text.ts';
import { toast } from '../toasts/toasts.tsx';
import { t } from '../translate.ts';

interface SaveViewProps {
  company: string;
  view: Omit<NewSavedView, 'name'>;
  views: readonly SavedView[];
  /** Contents of a view of this list, as a sentence. */
  about: string;
  onSaved(view: SavedView): void;
  onClose(): void;
}

export function SaveView({ company, view, views, about, onSaved, onClose }: SaveViewProps) {
  const [name, setName] = useState('');
  const [isBlank, setBlank] = useState(false);
  const queries = useQueryClient();
  const existing = views.find((each) => plain(each.name) === plain(oneLine(name)));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      existing ? changeView(company, existing.id, changeOf(view)) : saveView(company, { name: oneLine(name), ...view }),
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: savedViewsQuery(company).queryKey });
      toast(t`View “${saved.name}” saved`);
      onSaved(saved);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBlank(!oneLine(name));
    if (oneLine(name)) mutate();
  };
  const fieldError = error instanceof ApiError ? error.fieldError('name') : undefined;
  return (
    <Dialog open title={t`Save this view`} about={about} onClose={onClose} locked={isPending}>
      <form className="form" noValidate onSubmit={submit}>
        <Field
          label={t`Name`}
          required
          hint={existing && t`You have a view of this name. It will show this list from now on.`}
          error={isBlank ? t`Give the view a name.` : fieldError}
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
        {error && !fieldError ? <Problem error={error} /> : null}
        <div className="actions">
          <Button disabled={isPending} onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" kind="primary" busy={isPending}>
            {existing ? t`Replace` : t`Save`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The list of a view can't be changed. */
function changeOf({ list: _list, ...change }: SaveViewProps['view']): ViewChange {
  return change;
}
