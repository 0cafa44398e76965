import { t } from '../../parts/translate.ts';

export function NoChart() {
  return <p className="quiet">{t`The chart didn't load. The table below shows the same data.`}</p>;
}
