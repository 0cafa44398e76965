/** Navigation: grouped sidebar, or a bottom bar on phones. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { Menu, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { failedImportsQuery, snoozedUntil, snoozesQuery, webhooksToFix } from '../../api/attention.ts';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { Dialog } from '../dialog.tsx';
import { readStored, writeStored } from '../local-storage.ts';
import { t, tn } from '../translate.ts';
import { type NavGroup, type NavItem, navGroupsFor } from './nav-items.ts';

const storageKey = 'console.narrow-navigation';

export function useNavGroups(company: string): NavGroup[] {
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data: session } = useSuspenseQuery(sessionQuery);
  const membership = session.companies.find(({ id }) => id === company);
  return navGroupsFor(rights, { role: membership?.role, own: membership?.collaborator_id });
}

export function Navigation({ company }: { company: string }) {
  const groups = useNavGroups(company);
  const [isNarrow, setNarrow] = useState(() => readStored(storageKey) === 'yes');
  const toggle = () => {
    writeStored(storageKey, isNarrow ? 'no' : 'yes');
    setNarrow(!isNarrow);
  };
  return (
    <>
      <nav className={isNarrow ? 'places narrow' : 'places'} aria-label={t`Screens`}>
        <div className="places-inner">
          <Groups company={company} groups={groups} isNarrow={isNarrow} />
          <button type="button" className="collapse" aria-expanded={!isNarrow} onClick={toggle}>
            {isNarrow ? <PanelLeftOpen aria-hidden size={18} /> : <PanelLeftClose aria-hidden size={18} />}
            <span className={isNarrow ? 'unseen' : undefined}>{isNarrow ? t`Expand the menu` : t`Collapse`}</span>
          </button>
        </div>
      </nav>
      <BottomBar company={company} groups={groups} />
    </>
  );
}

function Groups({ company, groups, isNarrow = false }: { company: string; groups: NavGroup[]; isNarrow?: boolean }) {
  return (
    <ul>
      {groups.map(({ name, label, items: navItems }) => (
        <li key={name}>
          {label() && (
            <span className={isNarrow ? 'unseen' : 'group-name'} id={`group-${name}`}>
              {label()}
            </span>
          )}
          <ul aria-labelledby={label() ? `group-${name}` : undefined}>
            {navItems.map((item) => (
              <li key={item.to}>
                <NavLink company={company} item={item} isNarrow={isNarrow} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

interface NavLinkProps {
  company: string;
  item: NavItem;
  isNarrow?: boolean;
}

function NavLink({ company, item: { to, label, icon: Icon, exact = false }, isNarrow = false }: NavLinkProps) {
  const failing = useFailing(company, to);
  return (
    <Link
      to={to as '/$company'}
      params={{ company }}
      activeOptions={{ exact, includeSearch: false }}
      title={isNarrow ? label() : undefined}
    >
      <Icon aria-hidden size={18} />
      <span className={isNarrow ? 'unseen' : undefined}>{label()}</span>
      {failing > 0 && (
        <span className="failing">
          <span aria-hidden="true">{failing}</span>
          <span className="unseen">{tn(failing, t`${failing} needs attention`, t`${failing} need attention`)}</span>
        </span>
      )}
    </Link>
  );
}

/**
 * Items that need attention and aren't snoozed. Webhooks and imports come from the cache only; what screens have loaded of them is
 * enough for a badge, which asks for snoozes only if there is something to count.
 */
function useFailing(company: string, to: string): number {
  const { data: rights } = useQuery({ ...permissionsQuery(company), enabled: false });
  const { data: webhooks } = useQuery({ ...webhooksQuery(company), enabled: false });
  const { data: imports } = useQuery({ ...failedImportsQuery(company), enabled: false });
  const items =
    to === '/$company/webhooks'
      ? webhooksToFix(webhooks ?? []).map(({ kind, webhook }) => ({ kind, id: webhook.id }))
      : to === '/$company/imports'
        ? (imports ?? []).map(({ id }) => ({ kind: 'import_failed' as const, id }))
        : [];
  const maySnooze = rights?.has('listSnoozes') ?? false;
  const needsSnoozes = maySnooze && items.length > 0;
  const { data: snoozes } = useQuery({
    ...snoozesQuery(company),
    enabled: needsSnoozes,
    staleTime: 5_000,
    refetchInterval: false,
  });
  if (maySnooze && !snoozes) return 0;
  return items.filter(({ kind, id }) => snoozedUntil(snoozes ?? [], kind, id) === undefined).length;
}

const maxInBar = 4;

function BottomBar({ company, groups }: { company: string; groups: NavGroup[] }) {
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes it
  useEffect(() => setOpen(false), [path]);
  const navItems = groups.flatMap((group) => group.items);
  const first = navItems.slice(0, navItems.length > maxInBar + 1 ? maxInBar : maxInBar + 1);
  return (
    <>
      <nav className="bottom" aria-label={t`Main screens`}>
        {first.map((item) => (
          <NavLink key={item.to} company={company} item={item} />
        ))}
        {first.length < navItems.length && (
          <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            <Menu aria-hidden size={18} />
            <span>{t`More`}</span>
          </button>
        )}
      </nav>
      <Dialog open={isOpen} title={t`Screens`} onClose={() => setOpen(false)}>
        <nav className="sheet" aria-label={t`All screens`}>
          <Groups company={company} groups={groups} />
        </nav>
      </Dialog>
    </>
  );
}
