/** Navigation targets in groups, each with its required operation and its shortcut (after `g`). */
import {
  Activity,
  AppWindow,
  Building2,
  ContactRound,
  Download,
  FolderSync,
  FormInput,
  House,
  KeyRound,
  LogIn,
  type LucideIcon,
  Network,
  ScrollText,
  Upload,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react';
import type { Schemas } from '../../api/client/client.ts';
import type { Permissions } from '../../api/client/session.ts';
import { t } from '../translate.ts';

export interface NavItem {
  to: string;
  label(): string;
  icon: LucideIcon;
  key: string;
  /** Undefined: no permission needed. */
  needs?: string;
  /** Highlights the link on its exact URL only, because another link leads to a child screen. */
  exact?: boolean;
}

export interface NavGroup {
  name: string;
  label(): string;
  items: readonly NavItem[];
}

const home: NavItem = { to: '/$company', label: () => t`Home`, icon: House, key: 'h', exact: true };
const people: NavItem = { to: '/$company/people', label: () => t`People`, icon: UsersRound, key: 'p' };
const orgChart: NavItem = { to: '/$company/people/org', label: () => t`Org chart`, icon: Network, key: 'o' };

const colleagues: NavItem = {
  to: '/$company/colleagues',
  label: () => t`Colleagues`,
  icon: ContactRound,
  key: 'y',
  needs: 'listColleagues',
};

const groups: readonly NavGroup[] = [
  {
    name: 'data',
    label: () => t`Data`,
    items: [
      { to: '/$company/imports', label: () => t`Imports`, icon: Upload, key: 'i', needs: 'listImports' },
      { to: '/$company/exports', label: () => t`Exports`, icon: Download, key: 'e', needs: 'listExports' },
      { to: '/$company/audit', label: () => t`Audit log`, icon: ScrollText, key: 'l', needs: 'listAudit' },
    ],
  },
  {
    name: 'developers',
    label: () => t`Developers`,
    items: [
      { to: '/$company/webhooks', label: () => t`Webhooks`, icon: Webhook, key: 'w', needs: 'listWebhooks' },
      { to: '/$company/events', label: () => t`Events`, icon: Activity, key: 'v', needs: 'listEvents' },
      { to: '/$company/apps', label: () => t`Apps`, icon: AppWindow, key: 'a', needs: 'listApps' },
    ],
  },
  {
    name: 'company',
    label: () => t`Company`,
    items: [
      {
        to: '/$company/connections',
        label: () => t`Connected apps`,
        icon: KeyRound,
        key: 'c',
        needs: 'listConnections',
      },
      {
        to: '/$company/directories',
        label: () => t`Directories`,
        icon: FolderSync,
        key: 'd',
        needs: 'listDirectories',
      },
      {
        to: '/$company/sign-in',
        label: () => t`Sign-in`,
        icon: LogIn,
        key: 'u',
        needs: 'listSignInConnections',
      },
      { to: '/$company/fields', label: () => t`Fields`, icon: FormInput, key: 'f', needs: 'createCustomField' },
      { to: '/$company/company', label: () => t`Company settings`, icon: Building2, key: 's', needs: 'getCompany' },
    ],
  },
];

interface Relation {
  role: Schemas['Role'] | undefined;
  /** Id of the reader's own record. */
  own: string | null | undefined;
}

/** Only what the reader may see: an employee sees their own record, a manager the team, and both the people directory if there is one. */
export function navGroupsFor(rights: Permissions | undefined, { role, own }: Relation): NavGroup[] {
  const profile: NavItem = { to: `/$company/people/${own}`, label: () => t`My profile`, icon: UserRound, key: 'm' };
  const list = role === 'manager' ? { ...people, label: () => t`My team`, exact: true } : { ...people, exact: true };
  const allowed =
    role === 'admin' ? [list, orgChart] : role === 'manager' ? [list, orgChart, colleagues] : [colleagues];
  const ownItems = own ? [profile] : [];
  const ordered = role === 'admin' ? [...allowed, ...ownItems] : [...ownItems, ...allowed];
  const peopleItems = rights?.has('listCollaborators') ? ordered : [];
  return [
    { name: 'home', label: () => '', items: [home] },
    { name: 'people', label: () => t`People`, items: peopleItems },
    ...groups,
  ]
    .map((group) => ({ ...group, items: group.items.filter(({ needs }) => !needs || rights?.has(needs)) }))
    .filter(({ items }) => items.length > 0);
}
