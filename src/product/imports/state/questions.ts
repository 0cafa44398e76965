/** Questions about a file that only a person can answer. An import that only lacks answers waits for them. */
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { type StoredText, Text } from '../../../contract/languages/text.ts';
import { upgradeStored } from '../../../contract/stored.ts';
import type { RowError } from './row-errors.ts';

type QuestionResponse = components['schemas']['ImportQuestion'];

interface Choice {
  answer: string;
  label: Text | string;
  /** The resulting value of a cell. */
  example?: string | undefined;
}

export interface Question extends Pick<QuestionResponse, 'id' | 'kind' | 'column'> {
  message: Text;
  choices: readonly Choice[];
}

/** An error of the columns, with the question that resolves it. */
export interface AnswerableError extends RowError {
  question?: Question | undefined;
}

interface StoredQuestion extends Pick<Question, 'id' | 'kind' | 'column'> {
  said: StoredText;
  choices: { answer: string; said: StoredText; example: string | null }[];
}

const maxMessage = 500;
const maxLabel = 200;
const maxExample = 100;

export function storedQuestion({ id, kind, column, message, choices }: Question): StoredQuestion {
  return {
    ...{ id, kind, column, said: message.stored() },
    choices: choices.map(({ answer, label, example = null }) => ({
      answer,
      said: (label instanceof Text ? label : new Text('{1}', [label])).stored(),
      example: example === null ? null : excerpt(example, maxExample),
    })),
  };
}

export function questionViews(stored: unknown, language: Language): QuestionResponse[] {
  return (stored as StoredQuestion[]).map(({ said: storedText, choices, ...question }) => {
    return upgradeStored('ImportQuestion', {
      ...question,
      message: excerpt(Text.from(storedText).translate(language), maxMessage),
      choices: choices.map(({ answer, said: label, example }) => {
        return { answer, label: excerpt(Text.from(label).translate(language), maxLabel), example };
      }),
    });
  });
}

function excerpt(text: string, chars: number): string {
  return text.replaceAll('\0', '').slice(0, chars).toWellFormed();
}
