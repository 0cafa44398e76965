import { Link } from '@tanstack/react-router';
import { t } from '../../parts/translate.ts';

export function FieldsPath({ company }: { company: string }) {
  return (
    <nav aria-label={t`Where you are`} className="path">
      <Link to="/$company/fields" params={{ company }}>
        {t`Fields`}
      </Link>
    </nav>
  );
}
