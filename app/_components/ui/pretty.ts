/** JSON on several lines. Any other text, such as JSON that was cut off, is unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
