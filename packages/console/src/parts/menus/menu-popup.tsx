/** The popup of a menu, below the end of its button, and in the same landmark of the page. */
import { Menu } from '@base-ui/react/menu';
import { type ReactNode, useState } from 'react';

export function MenuPopup({ children }: { children: ReactNode }) {
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <>
      <span ref={setContainer} className="menu-container" />
      <Menu.Portal container={container}>
        <Menu.Positioner className="menu-position" align="end" sideOffset={6} collisionPadding={8}>
          <Menu.Popup className="menu">{children}</Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </>
  );
}
