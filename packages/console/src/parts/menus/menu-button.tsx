/** A button with a menu, whose code loads at its first use. */
import type { ComponentType, ReactNode } from 'react';
import { useOnDemand } from '../on-demand.tsx';

export interface MenuTrigger {
  className: string;
  title?: string;
  disabled?: boolean;
  children: ReactNode;
}

interface MenuButtonProps<Items> extends MenuTrigger {
  /** Loads the menu, which renders the trigger too, and is open at first. */
  load(): Promise<ComponentType<Items & { trigger: MenuTrigger }>>;
  items: Items;
}

export function MenuButton<Items>({ load, items, ...trigger }: MenuButtonProps<Items>) {
  const { Part, preload, show } = useOnDemand(load);
  if (Part) return <Part {...items} trigger={trigger} />;
  return (
    <button
      type="button"
      {...trigger}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={show}
    />
  );
}
