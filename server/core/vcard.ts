/** Escapes a vCard 3.0 text value (RFC 2426, section 5): backslash, comma, semicolon and line ends. */
function escapeText(value: string): string {
  return value.replace(/[\\,;]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');
}

/**
 * The vCard of a contact. `phone` is digits in international format; `waid` is what makes WhatsApp offer
 * "Message" on the card.
 */
export function buildVcard(contact: { name: string; phone: string }): string {
  const name = escapeText(contact.name.trim());
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${name};;;`,
    `FN:${name}`,
    `TEL;type=CELL;type=VOICE;waid=${contact.phone}:+${contact.phone}`,
    'END:VCARD',
  ].join('\n');
}

/** Name and phone of a card, as a phone shows them. */
export function readVcard(vcard: string): { contactName: string; contactPhone: string } {
  const line = (pattern: RegExp) => pattern.exec(vcard)?.[1]?.trim() ?? '';
  return {
    // In one pass: an escaped backslash may stand before an n.
    contactName: line(/(?:^|[\r\n])FN:([^\r\n]*)/).replace(/\\([n\\,;])/gi, (_, escaped: string) =>
      escaped.toLowerCase() === 'n' ? ' ' : escaped,
    ),
    contactPhone: line(/(?:^|[\r\n])TEL[^:\r\n]*:([^\r\n]*)/),
  };
}
