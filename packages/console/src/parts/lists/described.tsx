/** A description of an event type; formats backticks as code. */
export function Described({ text }: { text: string }) {
  const parts = text.split('`');
  return (
    <p>
      {parts.map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
        at % 2 === 1 ? <code key={at}>{part}</code> : part,
      )}
    </p>
  );
}
