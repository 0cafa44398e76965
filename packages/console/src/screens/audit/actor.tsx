/** Actor and target of an entry, linked where the reader can open them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../api/audit.ts';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import { named, t } from '../../parts/translate.ts';
import { actorNames, targetNames } from './names.ts';

/** Includes the app that acted for the actor. */
export function Actor({ company, actor }: { company: string; actor: AuditEntry['actor'] }) {
  const { type, name, client_name: clientName } = actor;
  return (
    <span className="above-row">
      <ActorName company={company} actor={actor} />
      {type !== 'user' && name && <span className="quiet"> · {named(actorNames, type)}</span>}
      {type === 'user' && clientName && <span className="quiet"> · {clientName}</span>}
    </span>
  );
}

export function ActorName({ company, actor }: { company: string; actor: AuditEntry['actor'] }) {
  const { type, name, user_id: userId, collaborator_id: collaboratorId } = actor;
  if (collaboratorId) {
    return (
      <Link to="/$company/people/$person" params={{ company, person: collaboratorId }}>
        {name}
      </Link>
    );
  }
  if (name) return <span>{name}</span>;
  return <span>{userId && type === 'user' ? t`someone who has left` : named(actorNames, type)}</span>;
}

interface TargetProps {
  company: string;
  entry: Pick<AuditEntry, 'actor'> & { target: NonNullable<AuditEntry['target']> };
}

/** Links only to screens that the reader can open; exports are visible only to their requester. */
export function Target({ company, entry: { actor, target } }: TargetProps) {
  const { type, id, name } = target;
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data: session } = useQuery(sessionQuery);
  const label = name ?? named(targetNames, type);
  const className = 'above-row';
  const may = (operation: string) => rights?.has(operation) ?? false;
  if (type === 'collaborator' && name) {
    return (
      <Link to="/$company/people/$person" params={{ company, person: id }} className={className}>
        {label}
      </Link>
    );
  }
  if (type === 'webhook' && may('getWebhook')) {
    return (
      <Link to="/$company/webhooks/$webhook" params={{ company, webhook: id }} className={className}>
        {label}
      </Link>
    );
  }
  if (type === 'import' && may('getImport')) {
    return (
      <Link to="/$company/imports/$import" params={{ company, import: id }} className={className}>
        {label}
      </Link>
    );
  }
  if (type === 'export' && may('listExports') && session && actor.user_id === session.id) {
    return (
      <Link to="/$company/exports" params={{ company }} className={className}>
        {label}
      </Link>
    );
  }
  if (type === 'app' && name && may('getApp')) {
    return (
      <Link to="/$company/apps/$app" params={{ company, app: id }} className={className}>
        {label}
      </Link>
    );
  }
  if (type === 'directory' && name && may('getDirectory')) {
    return (
      <Link to="/$company/directories/$directory" params={{ company, directory: id }} className={className}>
        {label}
      </Link>
    );
  }
  if (type === 'connection' && may('getConnection')) {
    return (
      <Link to="/$company/connections/$connection" params={{ company, connection: id }} className={className}>
        {label}
      </Link>
    );
  }
  return <span>{label}</span>;
}
