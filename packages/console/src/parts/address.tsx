import { Fragment } from 'react';

/** A URL that preferably wraps after its slashes. */
export function Address({ url }: { url: string }) {
  return (
    <span className="url">
      {url.split(/(?<=[^/:]\/)/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have no other name, and never change places
        <Fragment key={at}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
