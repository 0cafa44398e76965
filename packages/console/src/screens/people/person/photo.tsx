import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { permissionsQuery } from '../../../api/client/session.ts';
import { type Person, removePhoto, setPhoto } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { FilePicker } from '../../../parts/fields/file-picker.tsx';
import { smallerPhoto } from '../../../parts/fields/smaller-photo.ts';
import { t } from '../../../parts/translate.ts';
import { useRelation } from '../relation.ts';

/** Admins can set anyone's photo, others only their own. */
export function Photo({ company, person }: { company: string; person: Person }) {
  const queries = useQueryClient();
  const relation = useRelation(company, person.id);
  const { data: rights } = useQuery(permissionsQuery(company));
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File | null): Promise<unknown> =>
      file ? setPhoto(company, person.id, await smallerPhoto(file)) : removePhoto(company, person.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'people'] }),
  });
  const may = rights?.has('setPhoto') && ['admin', 'self', 'manager-self'].includes(relation);
  if (!may) return null;
  return (
    <section className="panel" aria-labelledby="photo">
      <h2 id="photo">{t`Photo`}</h2>
      {error && <Problem error={error} />}
      <FilePicker
        label={t`New photo`}
        hint={t`JPEG, PNG or WebP, and HEIC where the browser reads it. Large photos are scaled down.`}
        accept="image/*,.heic,.heif"
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
