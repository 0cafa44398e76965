/** Invites people one by one: each invitation is an email, and the service limits how many it sends at once. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../../api/client/client.ts';
import { invite, type SelectedPerson } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { useIsHere } from '../../../parts/fields/unsaved.tsx';
import { number } from '../../../parts/format.ts';
import { toast } from '../../../parts/toasts/toasts.tsx';
import { t, tn } from '../../../parts/translate.ts';

interface BulkInviteProps {
  company: string;
  people: readonly SelectedPerson[];
  onClose(): void;
  onDone(): void;
}

interface FailedInvite {
  person: SelectedPerson;
  reason: string;
}

const maxWaitS = 60;
const maxVisible = 20;

export function BulkInvite({ company, people, onClose, onDone }: BulkInviteProps) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const [failed, setFailed] = useState<readonly FailedInvite[]>([]);
  const isStopped = useRef(false);
  const isHere = useIsHere();
  const send = useMutation({
    // After an outage, continues instead of starting again: a second invitation would invalidate the first.
    mutationFn: async () => {
      const failures = [...failed];
      const url = location.pathname + location.search;
      try {
        for (const [index, person] of people.entries()) {
          if (index < done) continue;
          if (isStopped.current) break;
          const reason = await inviteOne(company, person.id);
          if (reason) failures.push({ person, reason });
          setFailed([...failures]);
          setDone(index + 1);
        }
      } finally {
        if (!isHere.current && failures.length > 0) toast(failureText(failures), url);
      }
      return failures;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'people'] }),
    onSuccess: (failures) => {
      const sent = people.length - failures.length;
      if (isStopped.current) return;
      toast(tn(sent, t`${number(sent)} invitation was sent`, t`${number(sent)} invitations were sent`));
      if (failures.length === 0) {
        onDone();
        onClose();
      }
    },
  });
  const close = () => {
    isStopped.current = true;
    onClose();
  };
  return (
    <Dialog
      open
      title={tn(people.length, t`Invite ${number(people.length)} person`, t`Invite ${number(people.length)} people`)}
      about={t`We'll email a link to each of them. It works once and expires in seven days; any earlier link stops working.`}
      onClose={close}
    >
      {(send.isPending || (send.isError && done > 0)) && (
        <>
          <progress className="full" max={people.length} value={done} aria-label={t`Invitations sent`} />
          <p className="quiet" role="status">{t`${number(done)} of ${number(people.length)}`}</p>
        </>
      )}
      {!send.isPending && failed.length > 0 && (
        <div role="status">
          <p className="field-error">{failureTitle(failed)}</p>
          <ul>
            {failed.slice(0, maxVisible).map((each) => (
              <li key={each.person.id}>{failureLine(each)}</li>
            ))}
          </ul>
          {failed.length > maxVisible && <p>{moreFailures(failed)}</p>}
        </div>
      )}
      {send.error && <Problem error={send.error} />}
      <div className="actions">
        <Button onClick={close}>{send.isPending ? t`Stop` : send.isSuccess ? t`Close` : t`Cancel`}</Button>
        {!send.isSuccess && (
          <Button kind="primary" busy={send.isPending} onClick={() => send.mutate()}>
            {t`Send invitations`}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const failureTitle = ({ length }: readonly FailedInvite[]) =>
  tn(length, t`${number(length)} was not invited:`, t`${number(length)} were not invited:`);
const failureLine = ({ person, reason }: FailedInvite) => `${person.name}: ${reason}`;
const moreFailures = ({ length }: readonly FailedInvite[]) => t`and ${number(length - maxVisible)} more`;

/** All of the above, once the dialog is gone. */
function failureText(failed: readonly FailedInvite[]): string {
  const lines = [failureTitle(failed), ...failed.slice(0, maxVisible).map(failureLine)];
  if (failed.length > maxVisible) lines.push(moreFailures(failed));
  return lines.join('\n');
}

/** @returns why the person can't be invited; undefined on success. @throws errors that would affect all others too */
async function inviteOne(company: string, id: string): Promise<string | undefined> {
  for (let isResend = false; ; ) {
    try {
      await invite(company, id, isResend);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, retry_after_s: waitS = Number.POSITIVE_INFINITY, message } = error;
      if (status === 429 && waitS <= maxWaitS) await new Promise((resolve) => setTimeout(resolve, waitS * 1_000));
      else if (status === 409 && !isResend)
        isResend = true; // already invited
      else if (status === 404 || status === 409) return message;
      else throw error;
    }
  }
}
