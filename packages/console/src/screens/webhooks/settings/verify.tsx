/** Verification samples in five languages, with a real request of this endpoint. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Attempt, deliveryPage, deliveryQuery, webhookQuery } from '../../../api/webhooks.ts';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';
import { type Code, trial } from '../trial.ts';
import { knownSecret } from './known-secrets.ts';
import { codes } from './verify-code.ts';

export function Verify() {
  useLanguage();
  const { company, webhook: id } = useParams({ from: '/$company/webhooks/$webhook' });
  const { data: webhook } = useQuery(webhookQuery(company, id));
  const [language, setLanguage] = useState<Code>('typescript');
  const { data: sample } = useQuery({
    queryKey: [company, 'webhooks', id, 'sample'],
    queryFn: async () => (await deliveryPage(company, id, {}, undefined, 1)).data[0] ?? null,
  });
  const { data: delivery } = useQuery({ ...deliveryQuery(company, id, sample?.id ?? ''), enabled: Boolean(sample) });
  const sent = delivery?.attempts.findLast(({ request }) => request)?.request;
  const secret = knownSecret(id);
  if (!webhook) return null;
  return (
    <section className="panel" aria-labelledby="verify">
      <h2 id="verify">{t`Verify`}</h2>
      <p>{t`Anyone who knows the URL can send a request to it. Verify each request to ${new URL(webhook.url).pathname} with this function before you use it:`}</p>
      <label className="field short">
        <span>{t`Programming language`}</span>
        <select value={language} onChange={({ target }) => setLanguage(target.value as Code)}>
          {Object.entries(codes).map(([code, { name }]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <CodeBlock title={codes[language].file} text={codes[language].text} />
      <h3>{t`Try it with a real request`}</h3>
      {secret ? null : <p className="hint">{t`Insert the endpoint's secret, which isn't shown again.`}</p>}
      {sent ? (
        <CodeBlock title={t`Try it with a real request`} text={trial(language, triedWith(sent, secret))} />
      ) : (
        <p className="quiet">{t`Nothing has been sent to this endpoint yet. Send a test first.`}</p>
      )}
    </section>
  );
}

function triedWith({ headers, body }: NonNullable<Attempt['request']>, secret: string | undefined) {
  const headerOf = (name: string) => headers.find((each) => each.name.toLowerCase() === name)?.value ?? '';
  return {
    id: headerOf('webhook-id'),
    timestamp: headerOf('webhook-timestamp'),
    signature: headerOf('webhook-signature'),
    body,
    secret: secret ?? 'whsec_…',
  };
}
