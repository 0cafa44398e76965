/** Button and shortcuts that open the command menu, which is loaded on demand. */
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../translate.ts';
import { useNavGroups } from './navigation.tsx';
import { useShortcuts } from './shortcuts.ts';

const CommandMenu = lazy(() => import('./command-menu.tsx'));
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'));

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Find({ company }: { company: string }) {
  const [opened, setOpened] = useState<'menu' | 'help'>();
  const navigate = useNavigate();
  const navItems = useNavGroups(company).flatMap((group) => group.items);
  useShortcuts({
    onMenu: () => setOpened('menu'),
    onHelp: () => setOpened('help'),
    onGo: (key) => {
      const item = navItems.find((each) => each.key === key);
      if (item) void navigate({ to: item.to as '/$company', params: { company } });
    },
  });
  const close = () => setOpened(undefined);
  return (
    <>
      <button type="button" className="find" aria-haspopup="dialog" onClick={() => setOpened('menu')}>
        <Search aria-hidden size={16} />
        <span className="find-label">{t`Search or go to …`}</span>
        <span aria-hidden="true" className="find-key">
          <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
        </span>
      </button>
      <Suspense fallback={null}>
        {opened === 'menu' && <CommandMenu company={company} onClose={close} onHelp={() => setOpened('help')} />}
        {opened === 'help' && <ShortcutHelp items={navItems} onClose={close} />}
      </Suspense>
    </>
  );
}
