/** Button and shortcuts that open the command menu, which is loaded on demand. */
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useOnDemand } from '../on-demand.tsx';
import { t } from '../translate.ts';
import { useNavGroups } from './navigation.tsx';
import { useShortcuts } from './shortcuts.ts';

const loadMenu = async () => (await import('./command-menu.tsx')).CommandMenu;
const loadHelp = async () => (await import('./shortcut-help.tsx')).ShortcutHelp;

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Find({ company }: { company: string }) {
  const [opened, setOpened] = useState<'menu' | 'help'>();
  const { Part: CommandMenu, show: showMenu } = useOnDemand(loadMenu);
  const { Part: ShortcutHelp, show: showHelp } = useOnDemand(loadHelp);
  const openMenu = () => {
    setOpened('menu');
    showMenu();
  };
  const openHelp = () => {
    setOpened('help');
    showHelp();
  };
  const navigate = useNavigate();
  const navItems = useNavGroups(company).flatMap((group) => group.items);
  useShortcuts({
    onMenu: openMenu,
    onHelp: openHelp,
    onGo: (key) => {
      const item = navItems.find((each) => each.key === key);
      if (item) void navigate({ to: item.to as '/$company', params: { company } });
    },
  });
  const close = () => setOpened(undefined);
  return (
    <>
      <button type="button" className="find" aria-haspopup="dialog" onClick={openMenu}>
        <Search aria-hidden size={16} />
        <span className="find-label">{t`Search or go to …`}</span>
        <span aria-hidden="true" className="find-key">
          <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
        </span>
      </button>
      {opened === 'menu' && CommandMenu && <CommandMenu company={company} onClose={close} onHelp={openHelp} />}
      {opened === 'help' && ShortcutHelp && <ShortcutHelp items={navItems} onClose={close} />}
    </>
  );
}
