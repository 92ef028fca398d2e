import { Fragment } from 'react';

/** A sentence in which text between backticks is code. */
export function Inline({ text }: { text: string }) {
  return text.split('`').map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text never move
    <Fragment key={index}>{index % 2 ? <code>{part}</code> : part}</Fragment>
  ));
}
