/** Creates a directory, then shows the values for the identity provider. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { createDirectory, type DirectoryWithToken } from '../../api/directories.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { SecretOnce } from '../../parts/secrets/secret-once.tsx';
import { Heading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { type DirectoryFields, DirectoryForm } from './directory-form.tsx';

export function NewDirectory() {
  useLanguage();
  const queries = useQueryClient();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: (fields: DirectoryFields) => createDirectory(company, fields),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'directories'] }),
  });
  if (data) return <DirectoryCreated company={company} directory={data} />;
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/directories" params={{ company }}>
          {t`Directories`}
        </Link>
      </nav>
      <Heading title={t`Connect a directory`} />
      {rights?.has('createDirectory') ? (
        <DirectoryForm actionLabel={t`Connect`} busy={isPending} error={error} onSubmit={(fields) => mutate(fields)} />
      ) : (
        <Forbidden />
      )}
    </>
  );
}

function DirectoryCreated({ company, directory }: { company: string; directory: DirectoryWithToken }) {
  return (
    <>
      <Heading title={t`${directory.name} is ready to connect`} />
      <p className="lead">{t`Enter these two values in your identity provider.`}</p>
      <CodeBlock title={t`SCIM URL`} text={directory.scim_url} />
      <SecretOnce secret={directory.token} />
      <p className="row">
        <Link
          className="button primary"
          to="/$company/directories/$directory"
          params={{ company, directory: directory.id }}
        >
          {t`Continue the setup`}
        </Link>
      </p>
    </>
  );
}
