/** Details of an audit log entry, with related links. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/audit.ts';
import type { AuditFilters } from '../../api/audit-filters.ts';
import { customFieldsQuery } from '../../api/custom-fields.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Badge, Time } from '../../parts/small.tsx';
import { named, t } from '../../parts/translate.ts';
import { fieldLabel } from '../people/person/change-messages.ts';
import { ActorName, Target } from './actor.tsx';
import { actionNames, outcomeNames } from './names.ts';

interface EntryProps {
  company: string;
  entry: AuditEntry;
  onFilter(filters: AuditFilters): void;
  onClose(): void;
}

export function Entry({ company, entry, onFilter, onClose }: EntryProps) {
  const { at, action, outcome, actor, target, ip, user_agent: userAgent, request_id: requestId, details } = entry;
  const {
    fields,
    changed_fields: changedFields,
    chosen_fields: chosenFields,
    ...others
  } = details as Record<string, unknown>;
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  const labels = (names: unknown) =>
    Array.isArray(names)
      ? singleFields(names.map(String))
          .map((name) => fieldLabel(name, custom))
          .join(', ')
      : '';
  return (
    <Dialog open wide title={named(actionNames, action)} onClose={onClose}>
      <dl className="facts">
        <Fact name={t`Time`}>
          <Time at={at} short={false} />
        </Fact>
        <Fact name={t`Action`}>
          <code>{action}</code>{' '}
          <Badge tone={outcome === 'refused' ? 'bad' : 'good'}>{named(outcomeNames, outcome)}</Badge>
        </Fact>
        <Fact name={t`Done by`}>
          <ActorName company={company} actor={actor} /> {actor.email && <span className="quiet">{actor.email}</span>}
        </Fact>
        {actor.client_id && (
          <Fact name={t`App used`}>
            {actor.client_name} <code>{actor.client_id}</code>
          </Fact>
        )}
        {actor.installed_by && <Fact name={t`Installed by`}>{actor.installed_by_name ?? t`someone who has left`}</Fact>}
        {target && (
          <Fact name={t`About`}>
            <Target company={company} entry={{ actor, target }} /> <code>{target.id}</code>
          </Fact>
        )}
        {labels(fields) && <Fact name={t`Fields in the request`}>{labels(fields)}</Fact>}
        {labels(changedFields) && <Fact name={t`Changed fields`}>{labels(changedFields)}</Fact>}
        {labels(chosenFields) && <Fact name={t`Chosen fields`}>{labels(chosenFields)}</Fact>}
        {ip && <Fact name={t`IP address`}>{ip}</Fact>}
        {userAgent && <Fact name={t`User agent`}>{userAgent}</Fact>}
        {requestId && (
          <Fact name={t`Request ID`}>
            <code>{requestId}</code> <CopyButton text={requestId} subject={t`Request ID`} />
          </Fact>
        )}
      </dl>
      {Object.keys(others).length > 0 && <CodeBlock title={t`Details`} text={JSON.stringify(others, null, 2)} />}
      <SimilarFilters entry={entry} onFilter={onFilter} />
      <div className="actions">
        <Button kind="primary" onClick={onClose}>
          {t`Close`}
        </Button>
      </div>
    </Dialog>
  );
}

/** Without the name of all custom fields, if single ones are named. */
function singleFields(names: readonly string[]): readonly string[] {
  const hasSingle = names.some((name) => name.startsWith('custom_fields.'));
  return hasSingle ? names.filter((name) => name !== 'custom_fields') : names;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Filters for similar entries. */
function SimilarFilters({ entry: { action, actor, target }, onFilter }: Pick<EntryProps, 'entry' | 'onFilter'>) {
  const { collaborator_id: collaboratorId, user_id: userId } = actor;
  return (
    <div className="row">
      {collaboratorId ? (
        <Button onClick={() => onFilter({ actor_collaborator_id: collaboratorId })}>{t`All their actions`}</Button>
      ) : (
        userId && <Button onClick={() => onFilter({ actor_id: userId })}>{t`All their actions`}</Button>
      )}
      {target && <Button onClick={() => onFilter({ target_id: target.id })}>{t`All entries about this record`}</Button>}
      <Button onClick={() => onFilter({ action })}>{t`All entries of this kind`}</Button>
    </div>
  );
}
