/** One directory: setup, activity, permissions, and deletion. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import {
  changeDirectory,
  type Directory,
  directoryQuery,
  removeDirectory,
  rotateToken,
} from '../../api/directories.ts';
import { DangerPanel } from '../../parts/danger-panel.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { changedOf } from '../../parts/fields/changed.ts';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { SecretPanel } from '../../parts/secrets/secret-panel.tsx';
import { Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { Errors, Syncs } from './activity.tsx';
import { State } from './directories.tsx';
import { type DirectoryFields, DirectoryForm, fieldsOf } from './directory-form.tsx';
import { FieldMapping } from './field-mapping.tsx';
import { Roles } from './roles.tsx';
import { SetUp } from './set-up.tsx';

export function DirectoryScreen() {
  useLanguage();
  const { company, directory: id } = useParams({ from: '/$company/directories/$directory' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('getDirectory') ?? false;
  const { data, error, refetch } = useQuery({ ...directoryQuery(company, id), enabled: may });
  if (!may) {
    return (
      <>
        <Heading title={t`Directories`} />
        <Forbidden />
      </>
    );
  }
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/directories" params={{ company }}>
          {t`Directories`}
        </Link>
      </nav>
      {error && !data && <Heading title={t`Directories`} />}
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <Heading title={data.name} aside={<State directory={data} />} />
          <SetUp company={company} directory={data} />
          <Errors company={company} id={id} />
          <Syncs company={company} id={id} />
          <Roles company={company} directory={data} may={rights?.has('updateDirectory') ?? false} />
          {rights?.has('updateDirectory') && <FieldMapping company={company} directory={data} />}
          {rights?.has('updateDirectory') && <Settings company={company} directory={data} />}
          {rights?.has('rotateDirectoryToken') && <Token company={company} directory={data} />}
          {rights?.has('deleteDirectory') && <Remove company={company} directory={data} />}
        </>
      )}
    </>
  );
}

interface OfDirectory {
  company: string;
  directory: Directory;
}

function Settings({ company, directory }: OfDirectory) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (change: Partial<DirectoryFields>) => changeDirectory(company, directory.id, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'directories'] }),
  });
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">{t`Settings`}</h2>
      <DirectoryForm
        directory={directory}
        actionLabel={t`Save`}
        busy={isPending}
        error={error}
        onSubmit={(fields, base, onSaved) => mutate(changedOf(fieldsOf(base), fields), { onSuccess: onSaved })}
      />
    </section>
  );
}

function Token({ company, directory }: OfDirectory) {
  const queries = useQueryClient();
  return (
    <SecretPanel
      description={t`The provider authenticates with a token. It isn't shown again. Rotate it at least every 90 days.`}
      overlap={t`The previous secret is still valid for`}
      until={directory.previous_token_expires_at}
      about={t`The current token stays valid for 24 hours, so that you can enter the new one in your provider.`}
      aboutAtOnce={t`The previous token is revoked now. The provider changes nothing until it has the new one.`}
      doneAtOnce={t`The previous token was revoked.`}
      rotate={async (immediately) => {
        const { token, previous_token_expires_at: until } = await rotateToken(company, directory.id, immediately);
        await queries.invalidateQueries({ queryKey: [company, 'directories'] });
        return { secret: token, until };
      }}
    />
  );
}

function Remove({ company, directory }: OfDirectory) {
  const queries = useQueryClient();
  const leave = useLeave();
  return (
    <DangerPanel
      title={t`Disconnect`}
      description={t`The provider can't change anything here anymore. People stay, and can be edited here.`}
      actionLabel={t`Disconnect the directory`}
      about={t`The token of ${directory.name} stops working now. People who leave the company keep their access until an admin deactivates them.`}
      perform={async () => {
        await removeDirectory(company, directory.id);
        await leave({ to: '/$company/directories', params: { company } });
        queries.removeQueries({ queryKey: [company, 'directories', directory.id] });
        await queries.invalidateQueries({ queryKey: [company, 'directories'] });
      }}
    />
  );
}
