/** What is around every screen: the company, the ways to the screens that the person may see, and their account. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { Fragment, Suspense, useEffect, useRef } from 'react';
import { accountUrl, docsUrl, signOutUrl } from '../api/sign-in.ts';
import { rightsQuery, whoQuery } from '../api/who.ts';
import { SignInAgain } from './again.tsx';
import { Brand } from './brand.tsx';
import { Menu } from './menu.tsx';
import { Missing } from './missing.tsx';
import { roleNames } from './names.ts';
import { Problem } from './problem.tsx';
import { Loading } from './small.tsx';
import { chooseLanguage, type Language, languages, named, t, useLanguage } from './words.ts';

export function Frame() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: who } = useSuspenseQuery(whoQuery);
  const isMine = who.companies.some(({ id }) => id === company);
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
        <CompanySwitch current={company} />
        <Account />
      </header>
      {isMine && <Places company={company} />}
      <main id="content" tabIndex={-1}>
        {isMine ? <Screen company={company} /> : <Missing />}
      </main>
      <SignInAgain />
    </div>
  );
}

/** The screen, once it is known what the person may do; the focus follows to a new one. */
function Screen({ company }: { company: string }) {
  const { data: rights, error, refetch } = useQuery(rightsQuery(company));
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [path]);
  if (error) return <Problem error={error} retry={refetch} />;
  if (!rights) return <Loading />;
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  );
}

/** The screens, each with the operation that it begins with. */
const places = [
  { to: '/$company/people', label: () => t`People`, needs: 'listCollaborators' },
  { to: '/$company/imports', label: () => t`Imports`, needs: 'listImports' },
  { to: '/$company/exports', label: () => t`Exports`, needs: 'listExports' },
  { to: '/$company/webhooks', label: () => t`Webhooks`, needs: 'listWebhooks' },
  { to: '/$company/events', label: () => t`Events`, needs: 'listEvents' },
  { to: '/$company/audit', label: () => t`Audit log`, needs: 'listAudit' },
  { to: '/$company/connections', label: () => t`Connected apps`, needs: 'listConnections' },
  { to: '/$company/apps', label: () => t`Apps`, needs: 'listApps' },
  { to: '/$company/directories', label: () => t`Directories`, needs: 'listDirectories' },
  { to: '/$company/company', label: () => t`Company`, needs: 'getCompany' },
] as const;

/** Only what the person may see. */
function Places({ company }: { company: string }) {
  const { data: rights } = useQuery(rightsQuery(company));
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen they are a row that scrolls: the one of now is in view.
    const now = nav.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    const row = nav.current?.getBoundingClientRect();
    if (now && row && (now.right > row.right || now.left < row.left))
      nav.current?.scrollBy(now.left - row.left - 16, 0);
  });
  return (
    <nav className="places" aria-label={t`Screens`} ref={nav}>
      <ul>
        <li>
          <Link to="/$company" params={{ company }} activeOptions={{ exact: true }}>
            {t`Home`}
          </Link>
        </li>
        {places.map(({ to, label, needs }) => (
          <Fragment key={to}>
            {rights?.has(needs) && (
              <li>
                <Link to={to} params={{ company }}>
                  {label()}
                </Link>
              </li>
            )}
          </Fragment>
        ))}
      </ul>
    </nav>
  );
}

function CompanySwitch({ current }: { current: string }) {
  const { data: who } = useSuspenseQuery(whoQuery);
  const navigate = useNavigate();
  const { companies } = who;
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

function Account() {
  const { data: who } = useSuspenseQuery(whoQuery);
  const language = useLanguage();
  const { company } = useParams({ from: '/$company' });
  const role = who.companies.find(({ id }) => id === company)?.role;
  return (
    <Menu
      title={t`${who.name}: account, language, sign out`}
      shown={initials(who.name)}
      about={
        <>
          <strong>{who.name}</strong>
          <span className="quiet">{who.email}</span>
          {role && <span className="quiet">{named(roleNames, role)}</span>}
        </>
      }
      links={[
        { label: t`Your account`, href: accountUrl },
        { label: t`Documentation`, href: docsUrl },
      ]}
      choices={(Object.entries(languages) as [Language, string][]).map(([tag, name]) => ({
        label: name,
        lang: tag,
        chosen: tag === language,
        choose: () => chooseLanguage(tag),
      }))}
      last={{ label: t`Sign out`, href: signOutUrl }}
    />
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase();
}
