/** Description and sample of an event type, next to the stream filtered by it. */
import { useQuery } from '@tanstack/react-query';
import { eventTypesQuery } from '../../api/webhooks.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Described } from '../../parts/lists/described.tsx';
import { t } from '../../parts/translate.ts';
import { DocsOfEvent } from './event.tsx';

export function KindOfEvent({ company, name }: { company: string; name: string }) {
  const { data: types } = useQuery(eventTypesQuery(company));
  const kind = types?.find((each) => each.name === name);
  if (!kind) return null;
  return (
    <section className="kind" aria-label={name}>
      <Described text={kind.description} />
      <DocsOfEvent name={name} />
      {kind.example && (
        <details className="more">
          <summary>{t`Sample of ${name}`}</summary>
          <CodeBlock title={t`Sample`} text={JSON.stringify(kind.example, null, 2)} />
        </details>
      )}
    </section>
  );
}
