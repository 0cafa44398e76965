/** The menu of an item. Its own file, because most home screens need none. */
import { Menu } from '@base-ui/react/menu';
import { AlarmClock } from 'lucide-react';
import { MenuPopup } from '../../parts/menu-popup.tsx';
import { Problem } from '../../parts/problem.tsx';
import { t } from '../../parts/translate.ts';
import { type Snoozable, useSnooze } from './snooze.tsx';

export default function SnoozeMenu({ company, ...item }: Snoozable & { company: string }) {
  const { mutate, isPending, error } = useSnooze(company);
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="button quiet snooze" disabled={isPending}>
          <AlarmClock aria-hidden size={16} />
          {t`Snooze`}
          <span className="unseen"> {item.name}</span>
        </Menu.Trigger>
        <MenuPopup>
          <div className="menu-about quiet">{t`For all admins. It comes back automatically.`}</div>
          <Menu.Item onClick={() => mutate({ ...item, days: 1 })}>{t`For a day`}</Menu.Item>
          <Menu.Item onClick={() => mutate({ ...item, days: 7 })}>{t`For a week`}</Menu.Item>
        </MenuPopup>
      </Menu.Root>
      {error ? <Problem error={error} /> : null}
    </>
  );
}
