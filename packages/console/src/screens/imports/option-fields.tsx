import type { ImportOptions, MatchBy } from '../../api/imports.ts';
import { named, t } from '../../parts/words.ts';

const keys: readonly MatchBy[] = ['id', 'external_id', 'employee_number', 'email'];

interface OptionFieldsProps {
  options: ImportOptions;
  may_invite: boolean;
  onChange(change: Partial<ImportOptions>): void;
}

export function OptionFields({ options, may_invite, onChange }: OptionFieldsProps) {
  const { mode, on_error, send_invitations } = options;
  return (
    <fieldset>
      <legend>{t('import.options')}</legend>
      {(['create', 'upsert'] as const).map((each) => (
        <label key={each} className="check">
          <input type="radio" name="mode" checked={mode === each} onChange={() => onChange({ mode: each })} />
          {t(`import.mode.${each}`)}
        </label>
      ))}
      {mode === 'upsert' && <Changing options={options} onChange={onChange} />}
      <label className="check">
        <input
          type="checkbox"
          checked={on_error === 'abort'}
          onChange={({ target }) => onChange({ on_error: target.checked ? 'abort' : 'continue' })}
        />
        {t('import.all-or-none')}
      </label>
      {may_invite && (
        <label className="check">
          <input
            type="checkbox"
            checked={send_invitations}
            onChange={({ target }) => onChange({ send_invitations: target.checked })}
          />
          {t('import.invite')}
        </label>
      )}
      <details className="full">
        <summary>{t('import.sheet')}</summary>
        <label className="field short">
          <span>{t('import.sheet.name')}</span>
          <input
            maxLength={31}
            value={options.sheet ?? ''}
            onChange={({ target }) => onChange({ sheet: target.value || undefined })}
          />
          <span className="hint">{t('import.sheet.hint')}</span>
        </label>
      </details>
    </fieldset>
  );
}

/** How those are found who are there already, and what becomes of what a file says nothing about. */
function Changing({ options, onChange }: Pick<OptionFieldsProps, 'options' | 'onChange'>) {
  const { match_by, empty_cells } = options;
  return (
    <>
      <label className="field short">
        <span>{t('import.match')}</span>
        <select
          value={match_by ?? ''}
          onChange={({ target }) => onChange({ match_by: (target.value || undefined) as MatchBy | undefined })}
        >
          <option value="">{t('import.match.first')}</option>
          {keys.map((key) => (
            <option key={key} value={key}>
              {named('field', key)}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={empty_cells === 'clear'}
          onChange={({ target }) => onChange({ empty_cells: target.checked ? 'clear' : 'keep' })}
        />
        {t('import.clear')}
      </label>
    </>
  );
}
