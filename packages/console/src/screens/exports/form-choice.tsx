/** File options: header language, and CSV format for the reader's spreadsheet program. */
import type { Delimiter, ExportChoice, FileLanguage } from '../../api/exports.ts';
import { languages, t, useLanguage } from '../../parts/translate.ts';
import { delimiters, fileLanguages } from './filters.ts';
import { delimiterNames } from './names.ts';
import { Options } from './options.tsx';

interface Props {
  choice: ExportChoice;
  onChange(change: Pick<ExportChoice, 'language' | 'delimiter'>): void;
}

export function FormChoice({ choice, onChange }: Props) {
  const uiLanguage = plain(useLanguage());
  const { language = uiLanguage, delimiter = defaultDelimiter(language), format, kind } = choice;
  if (kind === 'personal_data' || (format === 'json' && kind !== 'group')) return null;
  return (
    <>
      <label className="field short">
        <span>{t`Language of the headers`}</span>
        <select value={language} onChange={({ target }) => onChange({ language: target.value as FileLanguage })}>
          {fileLanguages.map((each) => (
            <option key={each} value={each}>
              {languages[each === 'pt' ? 'pt-BR' : each]}
            </option>
          ))}
        </select>
      </label>
      {format === 'csv' && kind !== 'group' && (
        <Options
          name="delimiter"
          names={delimiterNames}
          legend={t`Between the cells`}
          values={delimiters}
          chosen={delimiter}
          onChange={(to) => onChange({ delimiter: to })}
        />
      )}
    </>
  );
}

function plain(language: keyof typeof languages): FileLanguage {
  return language === 'pt-BR' ? 'pt' : language;
}

/** The service's default. */
function defaultDelimiter(language: FileLanguage): Delimiter {
  return language === 'en' ? 'comma' : 'semicolon';
}
