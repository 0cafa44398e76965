/** Ambiguities in a file that only the user can resolve, answered together. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerImport, type Import, type ImportQuestion } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { t, tn } from '../../../parts/translate.ts';
import { Stop } from '../import-progress.tsx';

export function Questions({ company, job }: { company: string; job: Import }) {
  const queries = useQueryClient();
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const [isLeaving, setLeaving] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => answerImport(company, job.id, answers),
    onSuccess: (now) => queries.setQueryData([company, 'imports', job.id], now),
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'imports'] }),
  });
  const { length } = job.questions;
  const isAnswered = job.questions.every(({ id }) => answers[id] !== undefined);
  return (
    <form
      className="panel form"
      aria-labelledby="questions"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAnswered) mutate();
      }}
    >
      <h2 id="questions">{tn(length, t`One question about this file`, t`${length} questions about this file`)}</h2>
      {job.questions.map((question) => (
        <Question
          key={question.id}
          question={question}
          answer={answers[question.id]}
          onAnswer={(answer) => setAnswers((now) => ({ ...now, [question.id]: answer }))}
        />
      ))}
      {error && <Problem error={error} />}
      <div className="row">
        <Button type="submit" kind="primary" busy={isPending} disabled={!isAnswered}>
          {t`Continue`}
        </Button>
        <Button onClick={() => setLeaving(true)}>{t`Discard`}</Button>
      </div>
      {isLeaving && <Stop company={company} job={job} onClose={() => setLeaving(false)} />}
    </form>
  );
}

interface QuestionProps {
  question: ImportQuestion;
  answer: string | undefined;
  onAnswer(answer: string): void;
}

function Question({ question: { id, message, choices }, answer, onAnswer }: QuestionProps) {
  return (
    <fieldset>
      <legend>{message}</legend>
      {choices.map((choice) => (
        <label key={choice.answer} className="check">
          <input type="radio" name={id} checked={answer === choice.answer} onChange={() => onAnswer(choice.answer)} />
          <span>
            {choice.label}
            {choice.example && <span className="quiet"> · {choice.example}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
