/** One import: progress, errors, preview, and result. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '../../api/client/client.ts';
import { permissionsQuery } from '../../api/client/session.ts';
import { type Import, importQuery, isUnderWay } from '../../api/imports.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { moment } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Heading, Loading, Time } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/translate.ts';
import { Columns } from './check/columns.tsx';
import { Decide } from './check/decide.tsx';
import { FixCells } from './check/fix-cells.tsx';
import { Preview } from './check/preview.tsx';
import { Questions } from './check/questions.tsx';
import { Errors } from './check/row-errors.tsx';
import { Warnings } from './check/warnings.tsx';
import { Counts } from './done/outcome.tsx';
import { Undo } from './done/undo.tsx';
import { Written } from './done/written.tsx';
import { ImportBadge } from './import-badge.tsx';
import { UnderWay } from './import-progress.tsx';
import { hasHeaderErrors, isReady, stateOf } from './import-state.ts';
import { failureAdvice, failureNames, modeNames, stateTexts } from './names.ts';

export function ImportScreen() {
  useLanguage();
  const { company, import: id } = useParams({ from: '/$company/imports/$import' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('getImport') ?? false;
  const { data: job, error, refetch } = useQuery({ ...importQuery(company, id), enabled: may });
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/imports" params={{ company }}>
          {t`Imports`}
        </Link>
      </nav>
      {!may && <NotAllowed />}
      {error && !job && <Heading title={t`Imports`} />}
      {error && <Problem error={error} retry={refetch} />}
      {error instanceof ApiError && error.status === 404 && (
        <p>{t`Imports are kept for 30 days, or until a person's data in them is erased.`}</p>
      )}
      {may && !job && !error && <Loading />}
      {job && <ImportDetails key={job.id} company={company} job={job} />}
    </>
  );
}

function NotAllowed() {
  return (
    <>
      <Heading title={t`Imports`} />
      <Forbidden />
    </>
  );
}

function ImportDetails({ company, job }: { company: string; job: Import }) {
  const hasEnded = !isUnderWay(job);
  const needsAnswers = job.status === 'needs_answers';
  // With column errors no row was read, so they come first.
  const isUnread = hasHeaderErrors(job) && job.columns.length > 0;
  return (
    <>
      <Heading title={job.filename} />
      <p className="row">
        <ImportBadge job={job} />
        <span className="quiet">
          {named(modeNames, job.mode)} · <Time at={job.created_at} />
          {hasEnded && ` · ${t`kept until ${moment(job.expires_at)}`}`}
        </span>
      </p>
      {!hasEnded && <UnderWay company={company} job={job} />}
      {job.failure && <Failed failure={job.failure} isUnread={isUnread} />}
      <div role="status" className="full">
        {hasEnded && !needsAnswers && !job.failure && <Outcome job={job} />}
      </div>
      {needsAnswers && <Questions company={company} job={job} />}
      {(job.dry_run || job.failure) && <Warnings company={company} job={job} />}
      {isReady(job) && <Decide company={company} job={job} />}
      {job.dry_run && !needsAnswers && <Preview company={company} job={job} />}
      {hasEnded && !job.dry_run && job.counts.created + job.counts.updated > 0 && (
        <Written company={company} job={job} />
      )}
      {hasEnded && !job.dry_run && job.counts.created > 0 && <Undo company={company} job={job} />}
      {isUnread && <Columns company={company} job={job} />}
      {hasEnded && job.error_count > 0 && !hasHeaderErrors(job) && <Errors company={company} job={job} />}
      {hasEnded && (job.error_count > 0 || job.failure) && <FixCells company={company} job={job} />}
      {!isUnread && hasEnded && !needsAnswers && (job.dry_run || job.failure) && job.columns.length > 0 && (
        <Columns company={company} job={job} />
      )}
    </>
  );
}

/** With a column list, each column shows its problem; otherwise show the service's message. */
function Failed({ failure, isUnread }: { failure: NonNullable<Import['failure']>; isUnread: boolean }) {
  const reason = failure.reason === 'unreadable' && !isUnread ? 'no-table' : failure.reason;
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{named(failureNames, reason)}</p>
      {!isUnread && <p>{failure.message}</p>}
      <p>{named(failureAdvice, reason)}</p>
    </div>
  );
}

function Outcome({ job }: { job: Import }) {
  return (
    <>
      <p className="lead">{stateTexts()[stateOf(job)]}</p>
      <Counts job={job} />
    </>
  );
}
