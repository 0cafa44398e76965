/** File input with drag and drop. While files are uploaded, the browser asks before it closes the page. */
import { useBlocker } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { t } from '../translate.ts';

interface FilePickerProps {
  label: string;
  /** Describes the accepted files. */
  hint?: string;
  accept?: string;
  busy: boolean;
  onFiles(files: File[]): void;
}

export function FilePicker({ label, hint, accept, busy, onFiles }: FilePickerProps) {
  const id = useId();
  const [isDragOver, setDragOver] = useState(false);
  const [isIgnored, setIgnored] = useState(false);
  // Other screens of the console don't interrupt an upload.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: busy });
  const take = (files: FileList | null) => {
    setIgnored(busy);
    if (!busy) onFiles([...(files ?? [])]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped here can be chosen by the field in it
    <div
      className={isDragOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setDragOver(true);
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <label htmlFor={id}>{label}</label>
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={hint && `${id}-hint`}
        disabled={busy}
        onChange={({ target }) => {
          take(target.files);
          target.value = '';
        }}
      />
      <span className="hint">{busy ? t`Uploading …` : t`Drop a file here, or choose one.`}</span>
      <span role="status">
        {isIgnored && t`These files were not added, because others were being uploaded. Drop them again afterwards.`}
      </span>
    </div>
  );
}
