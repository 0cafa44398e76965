import { Menu } from '@base-ui/react/menu';
import type { MenuTrigger } from '../../parts/menus/menu-button.tsx';
import { OpenedMenu } from '../../parts/menus/opened-menu.tsx';
import { t } from '../../parts/translate.ts';

interface SnoozeMenuProps {
  trigger: MenuTrigger;
  snooze(days: number): void;
}

export function SnoozeMenu({ trigger, snooze }: SnoozeMenuProps) {
  return (
    <OpenedMenu trigger={trigger}>
      <div className="menu-about quiet">{t`For all admins. It comes back automatically.`}</div>
      <Menu.Item onClick={() => snooze(1)}>{t`For a day`}</Menu.Item>
      <Menu.Item onClick={() => snooze(7)}>{t`For a week`}</Menu.Item>
    </OpenedMenu>
  );
}
