import type { ImportOptions, MatchBy } from '../../../api/imports.ts';
import { fieldLabels } from '../../../parts/names.ts';
import { named, t } from '../../../parts/translate.ts';
import { modeNames } from '../names.ts';

const keys: readonly MatchBy[] = ['id', 'external_id', 'employee_number', 'email'];

interface OptionFieldsProps {
  options: ImportOptions;
  mayInvite: boolean;
  onChange(change: Partial<ImportOptions>): void;
}

export function OptionFields({ options, mayInvite, onChange }: OptionFieldsProps) {
  const { mode, on_error: onError, send_invitations: sendInvitations } = options;
  return (
    <fieldset>
      <legend>{t`What to do with these people`}</legend>
      {(['create', 'upsert'] as const).map((each) => (
        <label key={each} className="check">
          <input type="radio" name="mode" checked={mode === each} onChange={() => onChange({ mode: each })} />
          {modeNames()[each]}
        </label>
      ))}
      {mode === 'upsert' && <Changing options={options} onChange={onChange} />}
      <label className="check">
        <input
          type="checkbox"
          checked={onError === 'abort'}
          onChange={({ target }) => onChange({ on_error: target.checked ? 'abort' : 'continue' })}
        />
        {t`All rows or none: with one error, nothing is imported`}
      </label>
      {mayInvite && (
        <label className="check">
          <input
            type="checkbox"
            checked={sendInvitations}
            onChange={({ target }) => onChange({ send_invitations: target.checked })}
          />
          {t`Email an invitation to everyone who is added`}
        </label>
      )}
      <details className="full">
        <summary>{t`The people are on another sheet`}</summary>
        <label className="field short">
          <span>{t`Sheet name`}</span>
          <input
            maxLength={31}
            value={options.sheet ?? ''}
            onChange={({ target }) => onChange({ sheet: target.value || undefined })}
          />
          <span className="hint">{t`Leave empty for the sheet called Collaborators, or the first one.`}</span>
        </label>
      </details>
    </fieldset>
  );
}

/** How to match existing people, and what empty cells mean. */
function Changing({ options, onChange }: Pick<OptionFieldsProps, 'options' | 'onChange'>) {
  const { match_by: matchBy, empty_cells: emptyCells } = options;
  return (
    <>
      <label className="field short">
        <span>{t`Match by`}</span>
        <select
          value={matchBy ?? ''}
          onChange={({ target }) => onChange({ match_by: (target.value || undefined) as MatchBy | undefined })}
        >
          <option value="">{t`the first of these that a row has`}</option>
          {keys.map((key) => (
            <option key={key} value={key}>
              {named(fieldLabels, key)}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={emptyCells === 'clear'}
          onChange={({ target }) => onChange({ empty_cells: target.checked ? 'clear' : 'keep' })}
        />
        {t`An empty cell clears the value`}
      </label>
    </>
  );
}
