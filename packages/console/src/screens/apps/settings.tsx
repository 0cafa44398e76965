/** App settings: fields, secret, and deletion. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type App, appQuery, removeApp } from '../../api/apps.ts';
import { permissionsQuery } from '../../api/client/session.ts';
import { DangerPanel } from '../../parts/danger-panel.tsx';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { ChangeApp } from './change-app.tsx';
import { AppSecret } from './secret.tsx';

export function AppSettings() {
  useLanguage();
  const { company, app: id } = useParams({ from: '/$company/apps/$app' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data } = useQuery(appQuery(company, id));
  if (!data) return null;
  return (
    <>
      {rights?.has('updateApp') && <ChangeApp company={company} known={data} />}
      {data.app.kind === 'confidential' && rights?.has('rotateAppSecret') && (
        <AppSecret company={company} app={data.app} />
      )}
      {rights?.has('deleteApp') && <Remove company={company} app={data.app} />}
    </>
  );
}

function Remove({ company, app }: { company: string; app: App }) {
  const queries = useQueryClient();
  const leave = useLeave();
  return (
    <DangerPanel
      title={t`Delete`}
      description={t`Permanently deletes the app and all its connections.`}
      actionLabel={t`Delete the app`}
      about={t`${app.name} loses all access in every company within a second, and no one can sign in to it. This can't be undone.`}
      perform={async () => {
        await removeApp(company, app.id);
        await leave({ to: '/$company/apps', params: { company } });
        queries.removeQueries({ queryKey: [company, 'apps', app.id] });
        await queries.invalidateQueries({ queryKey: [company, 'apps'] });
        await queries.invalidateQueries({ queryKey: [company, 'connections'] });
      }}
    />
  );
}
