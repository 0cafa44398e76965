/** Actions on a person: invite, activate or deactivate, change role, delete. Hides what the reader may not do. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { permissionsQuery } from '../../../api/client/session.ts';
import { assignRole, invite, type Person, removePerson, setActive, statusQuery } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { useLeave } from '../../../parts/fields/unsaved.tsx';
import { moment } from '../../../parts/format.ts';
import { roleNames } from '../../../parts/names.ts';
import { Since } from '../../../parts/small.tsx';
import { toast } from '../../../parts/toasts/toasts.tsx';
import { named, t } from '../../../parts/translate.ts';
import { roles } from '../filters.ts';
import { personStatusNames, reasonText, roleHints } from '../names.ts';
import { directoryOf } from './managed-field.tsx';

interface Part {
  company: string;
  person: Person;
}

type DialogName = 'invite' | 'activate' | 'deactivate' | 'role' | 'delete';

export function PersonActions({ company, person }: Part) {
  const [openDialog, setOpenDialog] = useState<DialogName>();
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data: state } = useQuery({ ...statusQuery(company, person.id), enabled: rights?.has('getStatus') ?? false });
  const onClose = () => setOpenDialog(undefined);
  const invited = state?.invitation.state;
  const isResend = invited === 'sent' || invited === 'expired';
  const may = {
    invite: rights?.has('sendInvitation') && invited && invited !== 'accepted' && person.status !== 'inactive',
    activate: rights?.has('activateCollaborator') && person.status !== 'active' && !directoryOf(person, 'status'),
    deactivate: rights?.has('deactivateCollaborator') && person.status !== 'inactive',
    role: rights?.has('assignRole'),
  };
  const labels = {
    invite: isResend ? t`Resend invitation` : t`Invite`,
    activate: t`Activate`,
    deactivate: t`Deactivate`,
    role: t`Change role`,
  };
  const mayExport = rights?.has('exportIndividual') ?? false;
  const mayDelete = rights?.has('deleteCollaborator') ?? false;
  const actions = (Object.keys(may) as (keyof typeof may)[]).filter((action) => may[action]);
  return (
    <>
      {state && (
        <p className="quiet">
          {named(personStatusNames, state.status)}, <Since at={state.since} />
          {state.reason && <> · {reasonText(state.reason)}</>}
          {invited === 'sent' && state.invitation.expires_at && (
            <> · {t`invited, expires ${moment(state.invitation.expires_at)}`}</>
          )}
          {invited === 'expired' && <> · {t`invitation expired`}</>}
          {invited === 'cancelled' && may.invite && <> · {t`invitation canceled`}</>}
        </p>
      )}
      {(actions.length > 0 || mayExport || mayDelete) && (
        <div className="row">
          {actions.map((action) => (
            <Button key={action} onClick={() => setOpenDialog(action)}>
              {labels[action]}
            </Button>
          ))}
          {mayExport && (
            <Link
              to="/$company/exports/new"
              params={{ company }}
              search={{ kind: 'individual', person: person.id }}
              className="button"
            >
              {t`Export`}
            </Link>
          )}
          {mayDelete && (
            <Button kind="danger" onClick={() => setOpenDialog('delete')}>
              {t`Delete`}
            </Button>
          )}
        </div>
      )}
      {openDialog === 'invite' && <Invite company={company} person={person} resend={isResend} onClose={onClose} />}
      {(openDialog === 'activate' || openDialog === 'deactivate') && (
        <ChangeStatus company={company} person={person} active={openDialog === 'activate'} onClose={onClose} />
      )}
      {openDialog === 'role' && <ChangeRole company={company} person={person} onClose={onClose} />}
      {openDialog === 'delete' && <Delete company={company} person={person} onClose={onClose} />}
    </>
  );
}

/** Runs an action on the person, then refetches their data. */
function usePersonAction(company: string, action: () => Promise<unknown>, onClose: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [company, 'people'] });
      onClose();
    },
  });
}

function Invite({ company, person, resend, onClose }: Part & { resend: boolean; onClose(): void }) {
  const { mutate, isPending, error } = usePersonAction(company, () => invite(company, person.id, resend), onClose);
  return (
    <Confirm
      open
      title={resend ? t`Resend invitation` : t`Invite`}
      about={t`We'll email a link to ${person.email}. It works once and expires in seven days; any earlier link stops working.`}
      actionLabel={t`Send invitation`}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}

function ChangeStatus({ company, person, active, onClose }: Part & { active: boolean; onClose(): void }) {
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = usePersonAction(
    company,
    () => setActive(company, person.id, active, reason),
    onClose,
  );
  return (
    <Confirm
      open
      title={active ? t`Activate` : t`Deactivate`}
      about={
        active
          ? t`They work here again. If they accepted an invitation before, they can sign in again.`
          : t`They lose access to the company now. Their record stays.`
      }
      actionLabel={active ? t`Activate` : t`Deactivate`}
      danger={!active}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    >
      <label className="field">
        <span>{t`Reason`}</span>
        <input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
        <span className="hint">{t`Optional. Shown in the person's history.`}</span>
      </label>
    </Confirm>
  );
}

function ChangeRole({ company, person, onClose }: Part & { onClose(): void }) {
  const [role, setRole] = useState(person.role);
  const { mutate, isPending, error } = usePersonAction(company, () => assignRole(company, person.id, role), onClose);
  return (
    <Confirm
      open
      title={t`Change role`}
      about={t`Takes effect with their next request.`}
      actionLabel={t`Change role`}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    >
      <label className="field">
        <span>{t`Role`}</span>
        <select value={role} onChange={({ target }) => setRole(target.value as Person['role'])}>
          {roles.map((each) => (
            <option key={each} value={each}>
              {named(roleNames, each)}
            </option>
          ))}
        </select>
        <span className="hint">{named(roleHints, role)}</span>
      </label>
    </Confirm>
  );
}

function Delete({ company, person, onClose }: Part & { onClose(): void }) {
  const leave = useLeave();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removePerson(company, person.id),
    onSuccess: async () => {
      toast(t`${person.name} was deleted`);
      await leave({ to: '/$company/people', params: { company } });
      queries.removeQueries({ queryKey: [company, 'people', person.id] });
      await queries.invalidateQueries({ queryKey: [company, 'people'] });
    },
  });
  return (
    <Confirm
      open
      title={t`Delete`}
      about={t`${person.name} disappears from all lists and loses access to the company. Admins can restore them for 30 days, under “Deleted people”.`}
      actionLabel={t`Delete`}
      danger
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
