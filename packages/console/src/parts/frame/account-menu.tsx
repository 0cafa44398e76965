/** The account menu. Loads its implementation when it first opens. */
import { lazy, Suspense, useState } from 'react';
import type { AccountMenuProps } from './account-items.tsx';

const loadItems = () => import('./account-items.tsx');
const AccountItems = lazy(loadItems);
const preload = () => void loadItems().catch(() => {}); // opening it reports the error

export function AccountMenu(props: AccountMenuProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const button = (
    <button
      type="button"
      className="menu-button"
      title={props.title}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWasOpened(true)}
    >
      <span aria-hidden="true">{props.trigger}</span>
      <span className="unseen">{props.title}</span>
    </button>
  );
  return wasOpened ? (
    <Suspense fallback={button}>
      <AccountItems {...props} />
    </Suspense>
  ) : (
    button
  );
}
