/** Lists the saved views of a list, to rename and delete them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import { changeView, removeView, type SavedView, savedViewsQuery } from '../../api/saved-views.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Problem } from '../errors/problem.tsx';
import { toast } from '../toasts/toasts.tsx';
import { t } from '../translate.ts';

interface ManageViewsProps {
  company: string;
  views: readonly SavedView[];
  onClose(): void;
}

export function ManageViews({ company, views, onClose }: ManageViewsProps) {
  return (
    <Dialog open title={t`Saved views`} onClose={onClose}>
      {views.length === 0 && <p className="quiet">{t`You have no saved views anymore.`}</p>}
      <ul className="views-rows">
        {views.map((view) => (
          <ViewRow key={view.id} company={company} view={view} />
        ))}
      </ul>
      <div className="actions">
        <Button onClick={onClose}>{t`Close`}</Button>
      </div>
    </Dialog>
  );
}

function ViewRow({ company, view: { id, name } }: { company: string; view: SavedView }) {
  const [typed, setTyped] = useState(name);
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: savedViewsQuery(company).queryKey });
  const rename = useMutation({
    mutationFn: () => changeView(company, id, { name: oneLine(typed) }),
    onSuccess: async (view) => {
      setTyped(view.name);
      await refresh();
      toast(t`View “${view.name}” renamed`);
    },
  });
  const remove = useMutation({
    mutationFn: () => removeView(company, id),
    onSuccess: async () => {
      await refresh();
      toast(t`View “${name}” deleted`);
    },
  });
  const isNew = oneLine(typed) !== '' && oneLine(typed) !== name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isNew) rename.mutate();
  };
  const error = rename.error ?? remove.error;
  return (
    <li>
      <form className="views-row" noValidate onSubmit={submit}>
        <input
          aria-label={t`Name of the view ${name}`}
          value={typed}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" disabled={!isNew} busy={rename.isPending}>
          {t`Rename`}
          <span className="unseen"> {name}</span>
        </Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t`Delete`}
          <span className="unseen"> {name}</span>
        </Button>
      </form>
      {error ? <Problem error={error} /> : null}
    </li>
  );
}
