/** Menu of saved views: open one, save the current one, or manage all. */
import * as Radix from '@radix-ui/react-dropdown-menu';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import type { PeopleFilters } from '../../../api/people.ts';
import { savedViewsQuery } from '../../../api/saved-views.ts';
import { t } from '../../../parts/translate.ts';
import type { ListSearch } from '../filters.ts';
import { ManageViews } from './manage-views.tsx';
import { SaveView } from './save-view.tsx';
import { fromView, isShown, toView } from './view-filters.ts';

interface SavedViewsProps {
  company: string;
  filters: PeopleFilters;
  /** Shown now, in their order. */
  columns: readonly string[];
  onOpen(search: ListSearch): void;
}

export function SavedViews({ company, filters, columns, onOpen }: SavedViewsProps) {
  const [opened, setOpened] = useState<'save' | 'manage'>();
  const { data: views = [] } = useQuery(savedViewsQuery(company));
  const shown = views.find((view) => isShown(view, filters, columns));
  const close = () => setOpened(undefined);
  return (
    <>
      <Radix.Root modal={false}>
        <Radix.Trigger className="button views-button">
          <Bookmark aria-hidden size={16} />
          <span className="views-name">{shown ? t`View: ${shown.name}` : t`Views`}</span>
        </Radix.Trigger>
        <Radix.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          {views.length === 0 && (
            <Radix.Label className="menu-about quiet">
              {t`No saved views yet. Filter or sort the list, or choose its columns, then save what you see.`}
            </Radix.Label>
          )}
          {views.length > 0 && (
            <Radix.Group aria-label={t`Saved views`} className="views-list">
              {views.map((view) => (
                <Radix.Item key={view.id} asChild>
                  <Link
                    to="/$company/people"
                    params={{ company }}
                    search={fromView(view)}
                    aria-current={view === shown ? 'true' : undefined}
                  >
                    {view.name}
                  </Link>
                </Radix.Item>
              ))}
            </Radix.Group>
          )}
          <Radix.Separator className="menu-line" />
          <Radix.Item onSelect={() => setOpened('save')}>{t`Save this view …`}</Radix.Item>
          {views.length > 0 && (
            <Radix.Item onSelect={() => setOpened('manage')}>{t`Rename or delete views …`}</Radix.Item>
          )}
        </Radix.Content>
      </Radix.Root>
      {opened === 'save' && (
        <SaveView
          company={company}
          view={toView(filters, columns)}
          views={views}
          onSaved={(view) => onOpen(fromView(view))}
          onClose={close}
        />
      )}
      {opened === 'manage' && <ManageViews company={company} views={views} onClose={close} />}
    </>
  );
}
