import type { Import } from '../../api/imports.ts';
import { Badge } from '../../parts/small.tsx';
import { stateOf, toneOf } from './import-state.ts';
import { stateNames } from './names.ts';

export function ImportBadge({ job }: { job: Import }) {
  return <Badge tone={toneOf(job)}>{stateNames()[stateOf(job)]}</Badge>;
}
