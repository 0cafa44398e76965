/** Starts an import with a dry run, so that users see the content before they decide anything. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { permissionsQuery } from '../../../api/client/session.ts';
import type { ImportOptions } from '../../../api/imports.ts';
import { Forbidden } from '../../../parts/frame/forbidden.tsx';
import { Heading } from '../../../parts/small.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';
import { DropFile } from './drop-file.tsx';
import { defaultOptions } from './import-options.ts';
import { OptionFields } from './option-fields.tsx';
import { TemplateButtons } from './template-buttons.tsx';

export function NewImport() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const [options, setOptions] = useState<ImportOptions>(defaultOptions);
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/imports" params={{ company }}>
          {t`Imports`}
        </Link>
      </nav>
      <Heading title={t`Import a file`} />
      {rights?.has('importCollaborators') ? (
        <>
          <p className="lead">{t`The file is only checked at first. You see its errors and what it would change, and then you decide.`}</p>
          <div className="form">
            <OptionFields
              options={options}
              mayInvite={rights.has('sendInvitation')}
              onChange={(change) => setOptions((now) => ({ ...now, ...change }))}
            />
            <DropFile
              company={company}
              label={t`File of people: Excel, CSV or OpenDocument, up to 20 MB`}
              options={options}
            />
            <section className="panel" aria-labelledby="template">
              <h2 id="template">{t`No file yet?`}</h2>
              <p>{t`Fill in the template. It has all columns, an example, and the allowed values.`}</p>
              <TemplateButtons company={company} />
            </section>
          </div>
        </>
      ) : (
        <Forbidden />
      )}
    </>
  );
}
