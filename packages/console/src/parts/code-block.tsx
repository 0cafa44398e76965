import { CopyButton } from './copy-button.tsx';

/** @param title for example `Body` */
export function CodeBlock({ title, text }: { title: string; text: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{title}</span>
        <CopyButton text={text} subject={title} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
