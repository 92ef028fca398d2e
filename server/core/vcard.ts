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
    contactName: line(/^FN:(.*)$/m)
      .replace(/\\n/gi, ' ')
      .replace(/\\([\\,;])/g, '$1'),
    contactPhone: line(/^TEL[^:\r\n]*:(.*)$/m),
  };
}
