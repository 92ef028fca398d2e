import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the mail server received it. */
export interface ReceivedMail {
  to: string[];
  /** Head and body as received. */
  raw: string;
  headers: Record<string, string>;
  /** The plain text, decoded. */
  text: string;
  /** The HTML, decoded; empty for a mail without. */
  html: string;
}

/** A real mail server on a free loopback port, which keeps what it receives. */
export async function startSmtpServer(options: { user?: string; password?: string } = {}) {
  const mails: ReceivedMail[] = [];
  let refusing = false;
  /** Answers to senders, while it is slow. */
  let held: (() => void)[] | null = null;
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      const good = auth.username === options.user && auth.password === options.password;
      if (good) done(null, { user: auth.username });
      else done(new Error('who are you?'));
    },
    onMailFrom(_address, _session, done) {
      if (refusing) done(Object.assign(new Error('not now'), { responseCode: 451 }));
      else if (held) held.push(() => done());
      else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(
          received(
            session.envelope.rcptTo.map(({ address }) => address),
            Buffer.concat(chunks).toString(),
          ),
        );
        done();
      });
    },
  });
  server.on('error', () => {}); // a client may disconnect at any time
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    url: `smtp://${options.user ? `${options.user}:${options.password}@` : ''}127.0.0.1:${port}`,
    /** Refuses every further mail, temporarily. */
    refuse(value: boolean) {
      refusing = value;
    },
    /** Keeps all further senders waiting. */
    hold() {
      held = [];
    },
    /** How many senders wait. */
    waiting: () => held?.length ?? 0,
    release() {
      for (const answer of held ?? []) answer();
      held = null;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function received(to: string[], raw: string): ReceivedMail {
  const { headers, body } = partOf(raw);
  const [, boundary] = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '') ?? [];
  const parts = boundary === undefined ? [{ headers, body }] : partsOf(body, boundary);
  const bodyAs = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    return part ? decodeBody(part.headers['content-transfer-encoding'], part.body) : '';
  };
  return { to, raw, headers, text: bodyAs('text/plain'), html: bodyAs('text/html') };
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

/** The parts of a multipart body, without its preamble and its end. */
function partsOf(body: string, boundary: string): Part[] {
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
  return parts.map((part) => partOf(part.replace(/^\r\n/, '')));
}

function partOf(raw: string): Part {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name && value !== undefined) headers[name.toLowerCase()] = decodeWords(value);
  }
  return { headers, body: rest.join('\r\n\r\n') };
}

function decodeBody(encoding: string | undefined, body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\r\n/g, '')) : body;
}

function decodeWords(value: string): string {
  const joined = value.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_all, how: string, text: string) =>
    how.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64').toString()
      : quotedPrintable(text.replaceAll('_', ' ')),
  );
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
