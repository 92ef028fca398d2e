/** A text longer than this is cut before it is logged: enough to know it by, too short to fill a disk. */
const LOGGED_CHARS_MAX = 500;
/** A stack is our own and says where to look. */
const STACK_CHARS_MAX = 4_000;
const LINE_CHARS_MAX = 16_000;
const ITEMS_MAX = 50;
/** What a cut adds, so that nothing is cut twice. */
const NOTE_CHARS = 40;

/** What a terminal obeys, and what hides or turns around the text beside it. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text on one line, in which every control character is written as its escape, such as `\u001b`. Inside JSON it means the same. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** {@link escapeControls} for a text of several lines, which stay. */
export function escapeControlsInLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

/** A text of at most `charsMax` characters; of one that is longer, its beginning and its length. */
export function clip(text: string, charsMax = LOGGED_CHARS_MAX): string {
  if (text.length <= charsMax + NOTE_CHARS) return text;
  return `${text.slice(0, charsMax).toWellFormed()}… (${text.length} characters)`;
}

/** A line of the log, in JSON, as it may be written: no text in it at full length, no control character. */
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
