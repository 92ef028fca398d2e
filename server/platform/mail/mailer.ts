import { createTransport } from 'nodemailer';
import { settings } from '#server/settings.ts';
import { type Letter, letterHtml, letterText } from './letter.ts';

/** nodemailer's error, with the server's answer and the command that it answers. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** A mail to one person. It is sent as plain text and as HTML. */
export interface Mail {
  to: string;
  subject: string;
  letter: Letter;
  /** Identifies the event, so that a copy sent after a lost answer has the same `Message-ID`. */
  id?: string;
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail. Rejects, without the server's text, if it is unreachable
   * or refuses.
   */
  send(mail: Mail): Promise<void>;
  /** Connects, signs in if the URL has credentials, and disconnects. Rejects with the mail server's answer. */
  verify(): Promise<void>;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** A mailer over one mail server. It connects for each mail. */
export function openMailer(params: { smtpUrl: string; from: string }): Mailer {
  const { smtpUrl, from } = params;
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const transport = createTransport(smtpUrl, {
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    from,
    // Suppresses automatic answers, such as "out of office".
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  return {
    async send({ to, subject, letter, id }) {
      // An object, not a header's text: an address with a comma must not become two recipients.
      const mail = {
        to: { name: '', address: to },
        subject,
        text: letterText(letter),
        html: letterHtml(letter),
        ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw withoutWords(error);
      });
    },
    async verify() {
      await transport.verify();
    },
  };
}

/**
 * A refusal with its codes only. The server's text may quote the mail, including a reset link, and would be
 * logged.
 */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, command, response, responseCode } = error as SmtpError;
  if (typeof response !== 'string') return error;
  const [numbers = 'no number'] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?\b/.exec(response) ?? [];
  return Object.assign(new Error(`the mail server answered ${numbers} to ${command}`), {
    code,
    responseCode,
  });
}

let opened: Mailer | undefined;

/** The installation's mailer; null if mail is off because `SMTP_URL` is not set. */
export function mailer(): Mailer | null {
  const { smtpUrl, mailFrom } = settings;
  if (smtpUrl === undefined) return null;
  opened ??= openMailer({ smtpUrl, from: mailFrom });
  return opened;
}
