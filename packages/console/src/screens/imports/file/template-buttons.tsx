/** Downloads the company's import template. */
import { useMutation } from '@tanstack/react-query';
import { importTemplate } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { t } from '../../../parts/translate.ts';

export function TemplateButtons({ company }: { company: string }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (format: 'xlsx' | 'csv') => importTemplate(company, format),
    onSuccess: ({ url }) => location.assign(url), // a download: the page stays
  });
  return (
    <>
      <div className="row">
        <Button busy={isPending} onClick={() => mutate('xlsx')}>
          {t`Excel template`}
        </Button>
        <Button busy={isPending} onClick={() => mutate('csv')}>
          {t`CSV template`}
        </Button>
      </div>
      {error && <Problem error={error} />}
    </>
  );
}
