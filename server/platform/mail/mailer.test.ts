import { afterEach, expect, test } from 'vitest';
import { startSmtpServer } from '#server/testing/smtp.ts';
import { letterHtml, letterText } from './letter.ts';
import { mailer, openMailer } from './mailer.ts';

const from = 'Wirebird <alerts@wirebird.example>';
const LETTER = {
  title: 'A number is logged out',
  paragraphs: ['It was removed.'],
  button: { label: 'Open the number', href: 'https://wirebird.example/numbers/num_1' },
};
let server: Awaited<ReturnType<typeof startSmtpServer>> | undefined;
afterEach(() => server?.close());

test('a mail arrives unchanged at its one recipient', async () => {
  server = await startSmtpServer();
  const letter = {
    ...LETTER,
    paragraphs: [
      'Zur Lötstelle: 18:05 — now, <b>please</b>.\n.\nThe end.',
      `A long line. ${'Köln '.repeat(60)}`,
    ],
  };
  await openMailer({ smtpUrl: server.url, from }).send({
    to: 'ann@shop.example',
    subject: 'A number is “logged out” – Köln',
    letter,
    id: 'alert.42',
  });
  expect(server.mails).toHaveLength(1);
  const [mail] = server.mails;
  expect(mail?.to).toEqual(['ann@shop.example']);
  expect(mail?.headers).toMatchObject({
    from,
    to: 'ann@shop.example',
    subject: 'A number is “logged out” – Köln',
    'message-id': '<alert.42@wirebird.example>',
    'auto-submitted': 'auto-generated',
  });
  const received = (text = '') => text.replaceAll('\r\n', '\n').trimEnd();
  expect(received(mail?.text)).toBe(letterText(letter).trimEnd());
  expect(received(mail?.html)).toBe(letterHtml(letter).trimEnd());
});

test('line breaks and commas in an address or a subject add no recipient and no header', async () => {
  server = await startSmtpServer();
  const mailer = openMailer({ smtpUrl: server.url, from });
  await mailer?.send({ to: 'a@x.example', subject: 'S\r\nX-Evil: 1\r\nBcc: c@x.example', letter: LETTER });
  expect(server.mails.map(({ to }) => to)).toEqual([['a@x.example']]);
  expect(server.mails[0]?.headers['x-evil']).toBeUndefined();
  expect(server.mails[0]?.headers.bcc).toBeUndefined();

  const forged = { to: 'a@x.example, b@x.example\r\nBcc: c@x.example', subject: 'S', letter: LETTER };
  await expect(mailer?.send(forged)).rejects.toThrow();
  expect(server.mails).toHaveLength(1);
});

test('the user and password of SMTP_URL are used, and wrong ones are an error', async () => {
  server = await startSmtpServer({ user: 'wirebird', password: 'good' });
  const wrong = openMailer({ smtpUrl: server.url.replace('good', 'bad'), from });
  await expect(wrong.verify()).rejects.toThrow();
  const right = openMailer({ smtpUrl: server.url, from });
  await right.verify();
  await right.send({ to: 'ann@shop.example', subject: 'S', letter: LETTER });
  expect(server.mails).toHaveLength(1);
});

test('a server that refuses the mail, or does not answer, rejects', async () => {
  server = await startSmtpServer();
  const sender = openMailer({ smtpUrl: server.url, from });
  server.refuse(true);
  await expect(sender.send({ to: 'ann@shop.example', subject: 'S', letter: LETTER })).rejects.toMatchObject({
    // The server may quote the mail, and code that logs the error must not have to know that.
    message: 'the mail server answered 451 to MAIL FROM',
    responseCode: 451,
  });
  await server.close();
  await expect(sender.send({ to: 'ann@shop.example', subject: 'S', letter: LETTER })).rejects.toThrow();
  expect(server.mails).toHaveLength(0);
});

test('without SMTP_URL there is no sender', () => {
  expect(mailer()).toBeNull();
});
