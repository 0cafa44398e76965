import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Person, removePhoto, setPhoto } from '../../api/people.ts';
import { rightsQuery } from '../../api/who.ts';
import { Button } from '../../parts/button.tsx';
import { FilePick } from '../../parts/file-pick.tsx';
import { Problem } from '../../parts/problem.tsx';
import { t } from '../../parts/words.ts';
import { useStanding } from './standing.ts';

/** Admins set everybody's photo, others their own. */
export function Photo({ company, person }: { company: string; person: Person }) {
  const queries = useQueryClient();
  const standing = useStanding(company, person.id);
  const { data: rights } = useQuery(rightsQuery(company));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File | null): Promise<unknown> =>
      file ? setPhoto(company, person.id, file) : removePhoto(company, person.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'people'] }),
  });
  const may = rights?.has('setPhoto') && ['admin', 'self', 'manager-self'].includes(standing);
  if (!may) return null;
  return (
    <section className="panel" aria-labelledby="photo">
      <h2 id="photo">{t`Photo`}</h2>
      {error && <Problem error={error} />}
      <FilePick
        label={t`New photo (JPEG, PNG or WebP, up to 5 MB)`}
        accept="image/jpeg,image/png,image/webp"
        busy={isPending}
        onFiles={([file]) => file && mutate(file)}
      />
      {person.avatar_url && (
        <Button busy={isPending} onClick={() => mutate(null)}>
          {t`Remove the photo`}
        </Button>
      )}
    </section>
  );
}
