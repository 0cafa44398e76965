/** The popup of a menu, below the end of its button. */
import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';

export function MenuPopup({ children }: { children: ReactNode }) {
  return (
    <Menu.Portal>
      <Menu.Positioner className="menu-place" align="end" sideOffset={6} collisionPadding={8}>
        <Menu.Popup className="menu">{children}</Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  );
}
