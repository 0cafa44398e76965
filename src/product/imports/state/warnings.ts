/** Warnings to check before committing a dry run: stored with the import, and shown in the reader's language. */
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { type StoredText, Text } from '../../../contract/languages/text.ts';
import { upgradeStored } from '../../../contract/stored.ts';

type WarningResponse = components['schemas']['ImportWarning'];

export interface ImportWarning extends Omit<WarningResponse, 'message'> {
  message: Text;
}

interface StoredWarning extends WarningResponse {
  /** Missing in warnings stored before it existed, which are shown in English. */
  said?: StoredText;
}

const maxMessage = 500;

export function storedWarning({ message, ...warning }: ImportWarning): StoredWarning {
  const storedText = message.stored();
  return { ...warning, message: translateStored(storedText, 'en'), said: storedText };
}

export function warningViews(stored: unknown, language: Language): WarningResponse[] {
  return (stored as StoredWarning[]).map(({ said: storedText, ...warning }) => {
    const { message } = warning;
    return upgradeStored('ImportWarning', {
      ...warning,
      message: storedText ? translateStored(storedText, language) : message,
    });
  });
}

function translateStored(storedText: StoredText, language: Language): string {
  return Text.from(storedText).translate(language).slice(0, maxMessage).toWellFormed();
}
