/** Contact cards and links in texts, as far as the library uses them. */

interface VcardLine {
  name: string;
  value: string;
}

/** The lines of a vCard. Throws if the text is not one. */
export function parseVcard(text: string): VcardLine[] {
  const lines = text
    .replace(/\r?\n[ \t]/g, '') // a line that starts with a space continues the previous one
    .split(/\r?\n/)
    .filter((line) => line !== '');
  if (!/^BEGIN:VCARD$/i.test(lines[0] ?? '') || !/^END:VCARD$/i.test(lines.at(-1) ?? '')) {
    throw new Error('invalid vcard');
  }
  return lines.slice(1, -1).map((line) => {
    const colon = line.indexOf(':');
    return { name: (line.slice(0, colon).split(';')[0] ?? '').toUpperCase(), value: line.slice(colon + 1) };
  });
}

export const vcardGetNameFromParsed = (lines: VcardLine[]): string | undefined =>
  lines.find((line) => line.name === 'FN')?.value;

interface Link {
  href: string;
  value: string;
  index: number;
  suspiciousCharacters: Set<string>;
}

export function findLinks(text: unknown): Link[] {
  return [...String(text ?? '').matchAll(/\b(?:https?:\/\/|www\.)[^\s<>"']+/gi)].map((match) => ({
    href: match[0].startsWith('www.') ? `http://${match[0]}` : match[0],
    value: match[0],
    index: match.index,
    suspiciousCharacters: new Set(),
  }));
}
