/** A text in pieces: https addresses with their links, and the text between. */
export function linked(text: string): { piece: string; href?: string }[] {
  return text
    .split(/(https:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/u)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const href = piece.startsWith('https://') && URL.canParse(piece) ? new URL(piece).href : undefined;
      return href === undefined ? { piece } : { piece, href };
    });
}
