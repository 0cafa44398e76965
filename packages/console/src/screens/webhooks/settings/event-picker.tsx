/** Event subscription picker: single events, namespaces, or all, with descriptions and samples. */
import { useQuery } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { type EventType, eventTypesQuery } from '../../../api/webhooks.ts';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { Described } from '../../../parts/lists/described.tsx';
import { Loading } from '../../../parts/small.tsx';
import { t } from '../../../parts/translate.ts';
import type { WebhookFields } from './webhook-fields.ts';

export function EventPicker({ company, error: fieldError }: { company: string; error: string | undefined }) {
  const { data: types, error, refetch } = useQuery(eventTypesQuery(company));
  const { field, fieldState } = useController<WebhookFields, 'events'>({
    name: 'events',
    rules: { validate: (events) => events.length > 0 || t`Choose at least one event.` },
  });
  const { value: picked, onChange } = field;
  const set = (pattern: string, on: boolean) => {
    const others = picked.filter((each) => each !== pattern && !covers(pattern, each));
    onChange(on ? [...others, pattern] : picked.filter((each) => each !== pattern));
  };
  const errorText = fieldError ?? fieldState.error?.message;
  const namespaces = Map.groupBy(types ?? [], ({ name }) => name.split('.')[0]!);
  return (
    <fieldset className="picker" aria-describedby={errorText ? 'events-error' : undefined}>
      <legend>{t`Events`}</legend>
      {errorText && (
        <p className="field-error" id="events-error">
          {errorText}
        </p>
      )}
      {error && <Problem error={error} retry={refetch} />}
      {!types && !error && <Loading />}
      {types && <Pick pattern="*" label={t`All events, including those added later`} picked={picked} set={set} />}
      {[...namespaces].map(([namespace, events]) => (
        <details key={namespace} className="namespace">
          <summary>
            <span>{namespace}</span> <span className="quiet">{countOf(namespace, events, picked)}</span>
          </summary>
          <Pick
            pattern={`${namespace}.*`}
            label={t`All ${namespace} events, including those added later`}
            picked={picked}
            set={set}
          />
          {events.map((event) => (
            <OneEvent key={event.name} event={event} picked={picked} set={set} />
          ))}
        </details>
      ))}
    </fieldset>
  );
}

interface PickProps {
  pattern: string;
  label: string;
  picked: readonly string[];
  set(pattern: string, on: boolean): void;
}

function Pick({ pattern, label, picked, set }: PickProps) {
  const isCovered = picked.some((each) => each !== pattern && covers(each, pattern));
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isCovered || picked.includes(pattern)}
        disabled={isCovered}
        onChange={({ target }) => set(pattern, target.checked)}
      />
      {label}
    </label>
  );
}

function OneEvent({ event, picked, set }: { event: EventType } & Pick<PickProps, 'picked' | 'set'>) {
  const { name, description, sent, example } = event;
  return (
    <div className="event">
      <Pick pattern={name} label={name} picked={picked} set={set} />
      {!sent && <span className="quiet">{t`not sent yet`}</span>}
      <details>
        <summary aria-label={t`Sample of ${name}`}>{t`Sample`}</summary>
        <Described text={description} />
        <CodeBlock title={t`Sample of ${name}`} text={JSON.stringify(example, null, 2)} />
      </details>
    </div>
  );
}

function covers(pattern: string, other: string): boolean {
  return pattern === '*' || (pattern.endsWith('.*') && other !== '*' && other.startsWith(pattern.slice(0, -1)));
}

function countOf(namespace: string, events: readonly EventType[], picked: readonly string[]): string {
  const all = `${namespace}.*`;
  const count = events.filter(({ name }) => picked.includes(name) || picked.some((each) => covers(each, name))).length;
  return picked.includes('*') || picked.includes(all) ? t`all` : t`${count} of ${events.length}`;
}
