/** Who did something, and to what: by name, and as a link where there is a screen of it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../api/audit.ts';
import { rightsQuery } from '../../api/who.ts';
import { named, t } from '../../parts/words.ts';

/** With the app that it was done by, unless that is who did it. */
export function Actor({ company, actor }: { company: string; actor: AuditEntry['actor'] }) {
  const { type, name, client_name } = actor;
  return (
    <span className="above-row">
      <ActorName company={company} actor={actor} />
      {type !== 'user' && name && <span className="quiet"> · {named('actor', type)}</span>}
      {type === 'user' && client_name && <span className="quiet"> · {client_name}</span>}
    </span>
  );
}

export function ActorName({ company, actor }: { company: string; actor: AuditEntry['actor'] }) {
  const { type, name, user_id, collaborator_id } = actor;
  if (collaborator_id) {
    return (
      <Link to="/$company/people/$person" params={{ company, person: collaborator_id }}>
        {name}
      </Link>
    );
  }
  if (name) return <span>{name}</span>;
  return <span>{user_id && type === 'user' ? t('actor.gone') : named('actor', type)}</span>;
}

export function Target({ company, target }: { company: string; target: NonNullable<AuditEntry['target']> }) {
  const { type, id, name } = target;
  const { data: rights } = useQuery(rightsQuery(company));
  if (type === 'collaborator' && name) {
    return (
      <Link to="/$company/people/$person" params={{ company, person: id }} className="above-row">
        {name}
      </Link>
    );
  }
  if (type === 'webhook' && rights?.has('getWebhook')) {
    return (
      <Link to="/$company/webhooks/$webhook" params={{ company, webhook: id }} className="above-row">
        {named('target', type)}
      </Link>
    );
  }
  if (type === 'import' && rights?.has('getImport')) {
    return (
      <Link to="/$company/imports/$import" params={{ company, import: id }} className="above-row">
        {named('target', type)}
      </Link>
    );
  }
  return <span>{name ?? named('target', type)}</span>;
}
