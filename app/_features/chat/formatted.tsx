import { Fragment, type ReactNode } from 'react';

/** WhatsApp's formatting: `*bold*`, `_italic_`, `~struck~` and ```` ```monospaced``` ````. */
const MARKED =
  /```([^`]+?)```|(?<![\p{L}\p{N}*])\*(?!\s)([^*\n]+?)(?<!\s)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_(?!\s)([^_\n]+?)(?<!\s)_(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}~])~(?!\s)([^~\n]+?)(?<!\s)~(?![\p{L}\p{N}~])/gu;

/** Renders WhatsApp's formatting, nested too. */
export function formatted(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKED)) {
    const [whole, mono, bold, italic, struck] = match;
    parts.push(text.slice(from, match.index));
    from = match.index + whole.length;
    if (mono !== undefined) parts.push(<code className="font-mono text-[0.93em]">{mono}</code>);
    else if (bold !== undefined) parts.push(<b className="font-semibold">{formatted(bold)}</b>);
    else if (italic !== undefined) parts.push(<i>{formatted(italic)}</i>);
    else parts.push(<s>{formatted(struck ?? '')}</s>);
  }
  if (parts.length === 0) return text;
  parts.push(text.slice(from));
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not reorder
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}
