/** Menu of saved views: open one, save the current one, or manage all. */
import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { type NewSavedView, type SavedView, savedViewsQuery } from '../../api/saved-views.ts';
import { forgetTyped } from '../lists/filters.tsx';
import { MenuPopup } from '../menus/menu-popup.tsx';
import { t } from '../translate.ts';
import { ManageViews } from './manage-views.tsx';
import { SaveView } from './save-view.tsx';

interface SavedViewsProps {
  company: string;
  /** The current filters, order, and columns. */
  current: Omit<NewSavedView, 'name'> & Pick<SavedView, 'list'>;
  isActive(view: SavedView): boolean;
  linkTo(view: SavedView): Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** Contents of a view of this list, as a sentence. */
  about: string;
  /** Instructions for creating the first view. */
  advice: string;
  onOpen(view: SavedView): void;
}

export function SavedViews({ company, current, isActive, linkTo, about, advice, onOpen }: SavedViewsProps) {
  const [opened, setOpened] = useState<'save' | 'manage'>();
  const { data = [] } = useQuery(savedViewsQuery(company));
  const views = data.filter(({ list }) => list === current.list);
  const activeView = views.find(isActive);
  const close = () => setOpened(undefined);
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="button views-button">
          <Bookmark aria-hidden size={16} />
          <span className="views-name">{activeView ? t`View: ${activeView.name}` : t`Views`}</span>
        </Menu.Trigger>
        <MenuPopup>
          {views.length === 0 && <div className="menu-about quiet">{advice}</div>}
          {views.length > 0 && (
            <Menu.Group aria-label={t`Saved views`} className="views-list">
              {views.map((view) => (
                <Menu.LinkItem
                  key={view.id}
                  closeOnClick
                  onClick={forgetTyped}
                  render={<Link {...linkTo(view)} aria-current={view === activeView ? 'true' : undefined} />}
                >
                  {view.name}
                </Menu.LinkItem>
              ))}
            </Menu.Group>
          )}
          <Menu.Separator className="menu-line" />
          <Menu.Item onClick={() => setOpened('save')}>{t`Save this view …`}</Menu.Item>
          {views.length > 0 && <Menu.Item onClick={() => setOpened('manage')}>{t`Rename or delete views …`}</Menu.Item>}
        </MenuPopup>
      </Menu.Root>
      {opened === 'save' && (
        <SaveView company={company} view={current} views={views} about={about} onSaved={onOpen} onClose={close} />
      )}
      {opened === 'manage' && <ManageViews company={company} views={views} onClose={close} />}
    </>
  );
}
