interface LetterLink {
  label: string;
  href: string;
}

/** The content of a mail, from which its text and its HTML are made. */
export interface Letter {
  /** A sentence without its full stop. */
  title: string;
  /** What the mail is about, one line each, such as the account. */
  facts?: readonly (readonly [name: string, value: string])[];
  paragraphs: readonly string[];
  /** Several topics, each with its own advice. */
  sections?: readonly { title: string; note: string; text: string; todo: string; link?: LetterLink }[];
  todo?: string;
  button: LetterLink;
  /** A second address, after the button. */
  link?: LetterLink;
  /** Text at the end, such as what to do with an unexpected mail. */
  foot?: string;
}

export function letterText({
  title,
  facts = [],
  paragraphs,
  sections = [],
  todo,
  button,
  link,
  foot,
}: Letter): string {
  const parts = [
    `${title}.`,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...paragraphs,
    ...sections.map((one) =>
      [one.title, one.note, one.text, todoText(one.todo), ...(one.link ? [linkText(one.link)] : [])].join(
        '\n',
      ),
    ),
    todo === undefined ? '' : todoText(todo),
    linkText(button),
    link === undefined ? '' : linkText(link),
    foot ?? '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** One sentence after another, or a list of steps below the heading. */
const todoText = (todo: string) => `What to do:${todo.includes('\n') ? '\n' : ' '}${todo}`;
const linkText = ({ label, href }: LetterLink) => `${label}:\n${href}`;

// Mail programs apply the styles in the tags; this sheet only adds the colours for dark mode.
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #0b0e10 !important; }
  .card { background: #14181b !important; border-color: #2a3136 !important; }
  .text { color: #e8edf0 !important; }
  .soft { color: #a3adb3 !important; }
  .todo { background: #1c2226 !important; }
  .link { color: #4fc0e8 !important; }
  .button { background: #4fc0e8 !important; color: #06222e !important; }
}`;
const FONT = "font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const TEXT = `margin: 0 0 14px; ${FONT}; font-size: 15px; line-height: 22px; color: #12181b`;
const SOFT = `${FONT}; font-size: 13px; line-height: 19px; color: #55626a`;

/** A letter as an HTML page without pictures, scripts or links other than its own. */
export function letterHtml({
  title,
  facts = [],
  paragraphs,
  sections = [],
  todo,
  button,
  link,
  foot,
}: Letter): string {
  const rows = facts
    .map(
      ([name, value]) =>
        `<tr><td class="soft" style="${SOFT}; padding: 0 14px 4px 0; white-space: nowrap; vertical-align: top">${lines(name)}</td>` +
        `<td class="text" style="${SOFT}; color: #12181b; padding: 0 0 4px; word-break: break-word">${lines(value)}</td></tr>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${lines(title)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: #f2f5f6">
<div role="main">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background: #f2f5f6">
<tr><td align="center" style="padding: 28px 14px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px">
<tr><td class="soft" style="${SOFT}; font-weight: 600; padding: 0 4px 12px">Wirebird</td></tr>
<tr><td class="card" style="background: #ffffff; border: 1px solid #dde4e7; border-radius: 12px; padding: 26px">
<h1 class="text" style="margin: 0 0 16px; ${FONT}; font-size: 19px; line-height: 26px; color: #12181b">${lines(title)}</h1>
${rows === '' ? '' : `<table role="presentation" cellpadding="0" cellspacing="0" style="margin: 0 0 14px">${rows}</table>`}
${paragraphs.map((text) => `<p class="text" style="${TEXT}; word-break: break-word">${lines(text)}</p>`).join('\n')}
${sections.map(sectionHtml).join('\n')}
${todo === undefined ? '' : `<p class="text todo" style="${TEXT}; background: #eef3f5; border-radius: 8px; padding: 12px 14px">${todoHtml(todo)}</p>`}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin: 20px 0 0"><tr><td>
<a class="button" href="${escapeHtml(button.href)}" style="display: inline-block; ${FONT}; font-size: 15px; line-height: 20px; font-weight: 600; color: #ffffff; background: #006a94; border-radius: 8px; padding: 11px 18px; text-decoration: none">${lines(button.label)}</a>
</td></tr></table>
${link === undefined ? '' : `<p style="${SOFT}; margin: 14px 0 0">${linkHtml(link)}</p>`}
</td></tr>
${foot === undefined ? '' : `<tr><td class="soft" style="${SOFT}; padding: 14px 4px 0">${lines(foot)}</td></tr>`}
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
}

function sectionHtml({ title, note, text, todo, link }: NonNullable<Letter['sections']>[number]): string {
  return `<h2 class="text" style="margin: 22px 0 2px; ${FONT}; font-size: 15px; line-height: 22px; color: #12181b">${lines(title)}</h2>
<p class="soft" style="margin: 0 0 6px; ${SOFT}">${lines(note)}</p>
<p class="text" style="${TEXT}; word-break: break-word">${lines(text)}<br>${todoHtml(todo)}${link === undefined ? '' : `<br>${linkHtml(link)}`}</p>`;
}

const todoHtml = (todo: string) => `<b>What to do:</b>${todo.includes('\n') ? '<br>' : ' '}${lines(todo)}`;
const linkHtml = ({ label, href }: LetterLink) =>
  `<a class="link" href="${escapeHtml(href)}" style="color: #006a94">${lines(label)}</a>`;

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
