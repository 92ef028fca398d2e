/** Name and phone of a contact card, as a phone shows them. */
export function readVcard(vcard: string): { name: string; phone: string } {
  const line = (pattern: RegExp) => pattern.exec(vcard)?.[1]?.trim() ?? '';
  return {
    name: line(/^FN:(.*)$/m)
      .replace(/\\n/gi, ' ')
      .replace(/\\([\\,;])/g, '$1'),
    phone: line(/^TEL[^:\r\n]*:(.*)$/m),
  };
}
