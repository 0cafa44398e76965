/** Command menu: finds people, screens, and actions. Lists recent items first, until the page is reloaded. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCombobox } from 'downshift';
import {
  AppWindow,
  BookOpen,
  ContactRound,
  Download,
  Keyboard,
  type LucideIcon,
  Trash2,
  Upload,
  UserPlus,
  UserRound,
  Webhook,
} from 'lucide-react';
import { useId, useState } from 'react';
import { type Permissions, permissionsQuery } from '../../api/client/session.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { type ColleagueFilters, colleaguesPage, peoplePage } from '../../api/people.ts';
import { Dialog } from '../dialog.tsx';
import { plain } from '../fold-text.ts';
import { t, tn } from '../translate.ts';
import { useNavGroups } from './navigation.tsx';

interface Command {
  key: string;
  label: string;
  about?: string | undefined;
  icon: LucideIcon;
  to?: string;
  search?: ColleagueFilters;
  run?(): void;
}

interface CommandMenuProps {
  company: string;
  onClose(): void;
  onHelp(): void;
}

const maxPeople = 6;
const maxRecent = 5;
/** By company. */
const recentOf = new Map<string, readonly Command[]>();

export function CommandMenu({ company, onClose, onHelp }: CommandMenuProps) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const items = useCommands(company, text, onHelp);
  const choose = (command: Command) => {
    onClose();
    if (command.run) return command.run();
    const others = (recentOf.get(company) ?? []).filter(({ key }) => key !== command.key);
    recentOf.set(company, [command, ...others].slice(0, maxRecent));
    void navigate({ to: command.to! as '/$company', params: { company }, search: command.search as never });
  };
  const id = useId();
  const box = useCombobox<Command>({
    inputId: id,
    items,
    isOpen: true,
    inputValue: text,
    selectedItem: null,
    defaultHighlightedIndex: 0,
    itemToString: (item) => item?.label ?? '',
    onSelectedItemChange: ({ selectedItem }) => selectedItem && choose(selectedItem),
  });
  return (
    <Dialog open title={t`Search or go to …`} className="commands" onClose={onClose}>
      <label {...box.getLabelProps()} htmlFor={id} className="unseen">
        {t`People, screens and actions`}
      </label>
      <input
        {...box.getInputProps({
          // The combobox reports changes late, which would drop characters while typing fast.
          onChange: ({ currentTarget }) => setText(currentTarget.value),
          placeholder: t`People, screens and actions`,
          autoComplete: 'off',
        })}
      />
      <ul {...box.getMenuProps()} className="command-list">
        {items.map((item, index) => {
          const { key, label, about, icon: Icon } = item;
          return (
            <li
              key={key}
              {...box.getItemProps({ item, index })}
              className={index === box.highlightedIndex ? 'highlighted' : undefined}
            >
              <Icon aria-hidden size={18} />
              <span>{label}</span>
              {about && <span className="command-about">{about}</span>}
            </li>
          );
        })}
      </ul>
      <p className={items.length > 0 ? 'unseen' : 'quiet'} role="status">
        {items.length > 0 ? tn(items.length, t`${items.length} result`, t`${items.length} results`) : t`Nothing found`}
      </p>
    </Dialog>
  );
}

/** Recent items for an empty query; otherwise matching commands, and people from the search API. */
function useCommands(company: string, text: string, onHelp: () => void): Command[] {
  const { data: rights } = useQuery(permissionsQuery(company));
  const screens = useNavGroups(company)
    .flatMap(({ items: navItems }) => navItems)
    .map(({ to, label, icon }): Command => ({ key: to, label: label(), icon, to }));
  const query = text.trim();
  const recent = recentOf.get(company) ?? [];
  const { data: foundPeople } = useQuery({
    queryKey: [company, 'people', 'found', query],
    queryFn: () => peoplePage(company, { search: query, sort: 'name' }, undefined, maxPeople),
    enabled: query.length > 1 && (rights?.has('listCollaborators') ?? false),
    placeholderData: keepPreviousData,
  });
  // Users who can list people get them from the search above.
  const { data: foundColleagues } = useQuery({
    queryKey: [company, 'colleagues', 'found', query],
    queryFn: () => colleaguesPage(company, { search: query }, undefined, maxPeople),
    enabled: query.length > 1 && screens.some(({ to }) => to === '/$company/colleagues'),
    placeholderData: keepPreviousData,
  });
  const others = [...screens, ...actionsOf(rights, onHelp)];
  if (!query) return [...recent, ...others.filter(({ key }) => recent.every((each) => each.key !== key))];
  const words = plain(query).split(/\s+/);
  const people = query.length > 1 ? (foundPeople?.data ?? []) : [];
  const colleagues = query.length > 1 ? (foundColleagues?.data ?? []) : [];
  const peopleEmails = new Set(people.map(({ email }) => email));
  return [
    ...others.filter(({ label }) => words.every((word) => plain(label).includes(word))),
    ...people.map(
      ({ id, name = '', position, department }): Command => ({
        key: id,
        label: name,
        about: [position, department].filter(Boolean).join(' · '),
        icon: UserRound,
        to: `/$company/people/${id}`,
      }),
    ),
    ...colleagues
      .filter(({ email }) => !peopleEmails.has(email))
      .map(
        ({ name, email, position, department }): Command => ({
          key: email,
          label: name,
          about: `${position} · ${department}`,
          icon: ContactRound,
          to: '/$company/colleagues',
          search: { search: email },
        }),
      ),
  ];
}

function actionsOf(rights: Permissions | undefined, onHelp: () => void): Command[] {
  const all: (Command & { needs?: string })[] = [
    { key: 'add', label: t`Add a person`, icon: UserPlus, to: '/$company/people/new', needs: 'createCollaborator' },
    { key: 'import', label: t`Import a file`, icon: Upload, to: '/$company/imports/new', needs: 'importCollaborators' },
    { key: 'export', label: t`New export`, icon: Download, to: '/$company/exports/new', needs: 'exportIndividual' },
    {
      key: 'deleted',
      label: t`Deleted people`,
      icon: Trash2,
      to: '/$company/people/deleted',
      needs: 'listDeletedCollaborators',
    },
    { key: 'webhook', label: t`Add an endpoint`, icon: Webhook, to: '/$company/webhooks/new', needs: 'createWebhook' },
    { key: 'app', label: t`Register an app`, icon: AppWindow, to: '/$company/apps/new', needs: 'createApp' },
    { key: 'docs', label: t`Documentation`, icon: BookOpen, run: () => location.assign(docsUrl) },
    { key: 'keys', label: t`Keyboard shortcuts`, icon: Keyboard, run: onHelp },
  ];
  return all.filter(({ needs }) => !needs || rights?.has(needs));
}
