/** The company's connected directories. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { type Directory, directoriesQuery } from '../../api/directories.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Badge, Empty, Heading, Loading, Since } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/translate.ts';

export function Directories() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('listDirectories') ?? false;
  const { data, error, refetch } = useQuery({ ...directoriesQuery(company), enabled: may });
  return (
    <>
      <Heading
        title={t`Directories`}
        aside={
          rights?.has('createDirectory') && (
            <Link to="/$company/directories/new" params={{ company }} className="button primary">
              {t`Connect a directory`}
            </Link>
          )
        }
      />
      <p className="lead">{t`Your identity provider adds, changes, and removes people here automatically.`}</p>
      {may ? (
        <>
          {error && <Problem error={error} retry={refetch} />}
          {!data && !error && <Loading />}
          {data && (data.length === 0 ? <None /> : <List company={company} directories={data} />)}
        </>
      ) : (
        <Forbidden />
      )}
    </>
  );
}

function None() {
  return (
    <Empty title={t`No directory connected yet`}>
      <p>{t`Connect Okta, Microsoft Entra ID, JumpCloud, Google Workspace or Keycloak. New people appear here, and people who leave lose access immediately.`}</p>
      <a className="button" href={`${docsUrl}/guides/directories`}>
        {t`How directories work`}
      </a>
    </Empty>
  );
}

function List({ company, directories }: { company: string; directories: Directory[] }) {
  return (
    <ul className="cards">
      {directories.map((directory) => (
        <li key={directory.id} className="card">
          <div className="row spread">
            <Link
              to="/$company/directories/$directory"
              params={{ company, directory: directory.id }}
              className="card-link"
            >
              {directory.name}
            </Link>
            <State directory={directory} />
          </div>
          <p className="quiet">
            {tn(
              directory.people_count,
              t`${number(directory.people_count)} person`,
              t`${number(directory.people_count)} people`,
            )}
            {directory.last_sync_at && (
              <>
                {' · '}
                {t`Last change:`} <Since at={directory.last_sync_at} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

export function State({ directory: { error_count: errors, last_sync_at: lastSyncAt } }: { directory: Directory }) {
  if (errors > 0) return <Badge tone="bad">{tn(errors, t`${errors} error`, t`${errors} errors`)}</Badge>;
  if (lastSyncAt === null) return <Badge tone="waiting">{t`Waiting for the first sync`}</Badge>;
  return <Badge tone="good">{t`Syncing`}</Badge>;
}
