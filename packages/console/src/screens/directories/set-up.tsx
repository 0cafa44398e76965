/** Setup checklist of a directory, with completed steps marked. */
import { useQuery } from '@tanstack/react-query';
import { docsUrl } from '../../api/client/sign-in.ts';
import { type Directory, groupsQuery } from '../../api/directories.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Badge } from '../../parts/small.tsx';
import { t, tn } from '../../parts/translate.ts';

const guides = [
  ['okta', 'Okta'],
  ['entra-id', 'Microsoft Entra ID'],
  ['jumpcloud', 'JumpCloud'],
  ['google-workspace', 'Google Workspace'],
  ['keycloak', 'Keycloak'],
] as const;

export function SetUp({ company, directory }: { company: string; directory: Directory }) {
  const { data: groups } = useQuery(groupsQuery(company, directory.id));
  const { people_count: people, last_sync_at: lastSyncAt, role_mapping: mapping } = directory;
  const steps = [
    { title: t`Create the directory`, about: t`It has an address and a token of its own.`, isDone: true },
    {
      title: t`Enter the SCIM URL and the token in your provider`,
      about: t`If you no longer have the token, rotate it below.`,
      isDone: lastSyncAt !== null,
    },
    {
      title: t`Assign people`,
      about:
        people > 0
          ? tn(people, t`${people} person is assigned.`, t`${people} people are assigned.`)
          : t`Start with one person and look at their profile.`,
      isDone: people > 0,
    },
    {
      title: t`Push groups`,
      about: t`Only if groups decide who is a manager or an admin here.`,
      isDone: (groups?.data.length ?? 0) > 0,
    },
    { title: t`Choose which groups give a role`, about: t`In the section Roles by group.`, isDone: mapping.length > 0 },
  ];
  return (
    <section className="panel" aria-labelledby="set-up">
      <h2 id="set-up">{t`Setup`}</h2>
      <CodeBlock title={t`SCIM URL`} text={directory.scim_url} />
      <ol>
        {steps.map(({ title, about, isDone }) => (
          <li key={title}>
            <span className="row">
              <strong>{title}</strong> {isDone && <Badge tone="good">{t`Done`}</Badge>}
            </span>
            <span className="quiet">{about}</span>
          </li>
        ))}
      </ol>
      <p className="row">
        {t`Step by step:`}
        {guides.map(([path, name]) => (
          <a key={path} href={`${docsUrl}/guides/directory-${path}`}>
            {name}
          </a>
        ))}
      </p>
    </section>
  );
}
