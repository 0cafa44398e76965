/** Ambiguities in a file that only the user can resolve: prompts on a terminal, otherwise prints the matching options. */
import { createInterface } from 'node:readline/promises';
import type { ImportQuestion } from '../service/responses.ts';
import { printable } from '../terminal/printable.ts';

/** @returns lines with each question, its choices, and the matching options */
export function questionLines(questions: readonly ImportQuestion[]): string[] {
  return questions.flatMap(({ id, message, choices }) => [
    '',
    message,
    ...choices.map((choice) => `  ${optionFor(id, choice)}  ${choiceText(choice)}`),
  ]);
}

type Choice = ImportQuestion['choices'][number];

function choiceText({ label, example }: Choice): string {
  return example === null ? label : `${label} (${example})`;
}

/** A column is chosen by its header. */
function optionFor(id: string, { answer, label }: Choice): string {
  const [kind, field] = id.split(':');
  const quoted = (text: string) => (/^[\w-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
  return kind === 'column'
    ? `--map ${quoted(`${label}=${field}`)}`
    : `--${kind!.replaceAll('_', '-')} ${quoted(answer)}`;
}

/** @returns undefined when the user closes the input */
export async function promptAnswers(questions: readonly ImportQuestion[]): Promise<Record<string, string> | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  terminal.once('SIGINT', () => terminal.close());
  terminal.once('close', () => closed.abort());
  const answers: Record<string, string> = {};
  try {
    for (const { id, message, choices } of questions) {
      const lines = choices.map((choice, at) => `  ${at + 1}  ${choiceText(choice)}`);
      process.stderr.write(`${printable([message, ...lines].join('\n'))}\n`);
      while (answers[id] === undefined) {
        const number = Number(await terminal.question(`Answer [1-${choices.length}]: `, { signal: closed.signal }));
        answers[id] = choices[number - 1]?.answer as string;
      }
    }
    return answers;
  } catch {
    process.stderr.write('\n');
    return undefined;
  } finally {
    terminal.close();
  }
}
