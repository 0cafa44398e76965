/** Layout around every screen: company switcher, navigation by permission, and account menu. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import { accountUrl, docsUrl, signOutUrl } from '../../api/client/sign-in.ts';
import { Problem } from '../errors/problem.tsx';
import { MenuButton } from '../menus/menu-button.tsx';
import { roleNames } from '../names.ts';
import { offerReload, ReloadDialog } from '../on-demand.tsx';
import { Loading } from '../small.tsx';
import { Toasts } from '../toasts/toasts.tsx';
import { chooseLanguage, type Language, languages, named, t, useLanguage } from '../translate.ts';
import { Brand } from './brand.tsx';
import { Find } from './find.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { Missing } from './missing.tsx';
import { Navigation } from './navigation.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

export function Frame() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isMember = session.companies.some(({ id }) => id === company);
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t`Skip to content`}
      </a>
      <header className="bar">
        <Link to="/$company" params={{ company }} className="brand">
          <Brand />
          <span>{t`Collaborators`}</span>
        </Link>
        {isMember && <Find company={company} />}
        <CompanySwitch current={company} />
        <Account />
      </header>
      {isMember && <Navigation company={company} />}
      <main id="content" tabIndex={-1} ref={main}>
        {isMember ? <Screen company={company} /> : <Missing />}
      </main>
      <StepUpDialog />
      <ReloadDialog />
      <Toasts />
    </div>
  );
}

/** Renders the screen once permissions are loaded; moves the focus to each new screen. */
function Screen({ company }: { company: string }) {
  const { data: rights, error, refetch } = useQuery(permissionsQuery(company));
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const previousPath = useRef(path);
  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    (document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main'))?.focus({ preventScroll: true });
  }, [path]);
  if (!rights) return error ? <Problem error={error} retry={refetch} /> : <Loading />;
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  );
}

function CompanySwitch({ current }: { current: string }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const navigate = useNavigate();
  const { companies } = session;
  if (companies.length < 2) return <span className="company">{companies[0]?.name}</span>;
  return (
    <label className="company">
      <span className="unseen">{t`Company`}</span>
      <select
        value={companies.some(({ id }) => id === current) ? current : ''}
        onChange={({ target }) => navigate({ to: '/$company', params: { company: target.value } })}
      >
        {companies.some(({ id }) => id === current) || <option value="">{t`Choose a company`}</option>}
        {companies.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const loadAccountMenu = async () => (await import('./account-menu.tsx')).AccountMenu;

function Account() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const language = useLanguage();
  const { company } = useParams({ from: '/$company' });
  const role = session.companies.find(({ id }) => id === company)?.role;
  const title = t`${session.name}: account, language, sign out`;
  return (
    <MenuButton
      load={loadAccountMenu}
      className="menu-button"
      title={title}
      items={{
        about: (
          <>
            <strong>{session.name}</strong>
            <span className="quiet">{session.email}</span>
            {role && <span className="quiet">{named(roleNames, role)}</span>}
          </>
        ),
        links: [
          { label: t`Your account`, href: accountUrl },
          { label: t`Documentation`, href: docsUrl },
        ],
        choices: (Object.entries(languages) as [Language, string][]).map(([tag, name]) => ({
          label: name,
          lang: tag,
          chosen: tag === language,
          choose: () => void chooseLanguage(tag).catch(offerReload),
        })),
        last: { label: t`Sign out`, href: signOutUrl },
      }}
    >
      <span aria-hidden="true">{initials(session.name)}</span>
      <span className="unseen">{title}</span>
    </MenuButton>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase();
}
