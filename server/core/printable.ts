/** A longer text is cut before it is logged: long enough to recognise it, too short to fill a disk. */
const LOGGED_CHARS_MAX = 500;
/** Longer, because stacks come from our own code and show where to look. */
const STACK_CHARS_MAX = 4_000;
const LINE_CHARS_MAX = 16_000;
const ITEMS_MAX = 50;
/** The most that a cut adds to a text, so that no text is cut twice. */
const NOTE_CHARS = 40;

/** Characters that a terminal obeys, or that hide or reverse the text next to them. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text on one line, with every control character as its escape, such as `\u001b`. In JSON it means the same. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** {@link escapeControls} for a text of several lines; line breaks stay. */
export function escapeControlsInLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

/** A text of at most `charsMax` characters. A longer one is cut to its beginning, and its length is added. */
export function clip(text: string, charsMax = LOGGED_CHARS_MAX): string {
  if (text.length <= charsMax + NOTE_CHARS) return text;
  return `${text.slice(0, charsMax).toWellFormed()}… (${text.length} characters)`;
}

/** A JSON line of the log that is safe to write: long texts are cut, and control characters are escaped. */
export function loggable(json: string): string {
  return escapeControls(json.length > LOGGED_CHARS_MAX ? clipped(json) : json);
}

function clipped(json: string): string {
  let record: unknown;
  try {
    record = JSON.parse(json);
  } catch {
    return JSON.stringify({ msg: clip(json) });
  }
  const short = JSON.stringify(record, (name, value: unknown) => {
    if (typeof value === 'string') return clip(value, name === 'stack' ? STACK_CHARS_MAX : LOGGED_CHARS_MAX);
    return Array.isArray(value) ? value.slice(0, ITEMS_MAX) : value;
  });
  if (short.length <= LINE_CHARS_MAX) return short;
  const { level, time, msg } = JSON.parse(short) as Record<string, unknown>;
  return JSON.stringify({ level, time, msg, left_out: `${json.length} characters` });
}
