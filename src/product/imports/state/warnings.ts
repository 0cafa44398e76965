/** What somebody should look at before a dry run is committed: kept with its import, and told to each reader in their language. */
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { type StoredText, Text } from '../../../contract/languages/text.ts';
import { fromStored } from '../../../contract/stored.ts';

type WarningView = components['schemas']['ImportWarning'];

export interface ImportWarning extends Omit<WarningView, 'message'> {
  message: Text;
}

/** As it is kept. */
interface StoredWarning extends WarningView {
  /** Of a warning from before there was such a thing nothing: it is told in English. */
  said?: StoredText;
}

const longestMessage = 500;

export function storedWarning({ message, ...warning }: ImportWarning): StoredWarning {
  const said = message.stored();
  return { ...warning, message: told(said, 'en'), said };
}

/** @param stored the column of the database */
export function warningViews(stored: unknown, language: Language): WarningView[] {
  return (stored as StoredWarning[]).map(({ said, ...warning }) => {
    const { message } = warning;
    return fromStored('ImportWarning', { ...warning, message: said ? told(said, language) : message });
  });
}

function told(said: StoredText, language: Language): string {
  return Text.from(said).in(language).slice(0, longestMessage).toWellFormed();
}
