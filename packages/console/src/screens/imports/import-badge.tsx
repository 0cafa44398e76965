import type { Import } from '../../api/imports.ts';
import { Badge } from '../../parts/small.tsx';
import { t } from '../../parts/words.ts';
import { stateOf, toneOf } from './import-state.ts';

export function ImportBadge({ job }: { job: Import }) {
  return <Badge tone={toneOf(job)}>{t(`import.state.${stateOf(job)}`)}</Badge>;
}
