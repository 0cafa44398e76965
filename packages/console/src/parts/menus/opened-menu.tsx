/** The menu of a `MenuButton`: loads after the button was pressed, and so opens at once. */
import { Menu } from '@base-ui/react/menu';
import { type ReactNode, useEffect, useRef } from 'react';
import type { MenuTrigger } from './menu-button.tsx';
import { MenuPopup } from './menu-popup.tsx';

export function OpenedMenu({ trigger, children }: { trigger: MenuTrigger; children: ReactNode }) {
  const ref = useRef<HTMLButtonElement>(null);
  // Unlike `defaultOpen`, a click highlights the first item for the keyboard.
  useEffect(() => ref.current?.click(), []);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger ref={ref} {...trigger} />
      <MenuPopup>{children}</MenuPopup>
    </Menu.Root>
  );
}
