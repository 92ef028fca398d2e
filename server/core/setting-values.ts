import { z } from 'zod';
import { parseBudget } from './new-contacts.ts';

/** The kinds of values that settings have. Each reads the text of a variable, and says what it must be. */

export const integer = (min: number, max: number, error = `must be a whole number from ${min} to ${max}`) =>
  z.string().trim().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(min, error).max(max, error));

export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');

export const secretText = z.string().min(32, 'must have at least 32 characters');

const list = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => (part.trim() ? [part.trim()] : [])));

const PORTS = 'must be ports from 1 to 65535, separated by commas';
export const ports = list.pipe(z.array(integer(1, 65535, PORTS)).min(1, PORTS));

export const hostNames = list.pipe(
  z.array(
    z
      .string()
      .regex(
        /^(\[[0-9a-fA-F:.]+\]|[\w-]+(\.[\w-]+)*)$/,
        'must be host names without ports, several separated by commas',
      ),
  ),
);

const HOSTS_WITH_PORT = 'must be host:port, several separated by commas';
const isPort = (text: string) => integer(1, 65535).safeParse(text).success;
export const hostsWithPort = list.pipe(
  z.array(
    z
      .string()
      .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5}$/, HOSTS_WITH_PORT)
      .refine((host) => isPort(host.slice(host.lastIndexOf(':') + 1)), HOSTS_WITH_PORT),
  ),
);

const isOrigin = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
};
export const publicOrigin = z
  .string()
  .refine(
    isOrigin,
    'must be an address such as https://wirebird.example.com, without a path, because Wirebird needs a host name of its own',
  );

/** Those of libpq, no mode at all, and the driver's own `no-verify`, which is in the instructions of some hosters. */
const SSL_MODES: ReadonlySet<string | null> = new Set([
  null,
  'disable',
  'allow',
  'prefer',
  'require',
  'no-verify',
  'verify-ca',
  'verify-full',
]);
export const postgresUrl = z
  .string()
  .refine((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url), {
    message:
      'must be a URL such as postgres://USER:PASSWORD@HOST:5432/NAME. Write special characters of the password as their codes, such as %23 for #',
    abort: true,
  })
  // An unknown mode would connect without the protection that was meant.
  .refine((url) => SSL_MODES.has(new URL(url).searchParams.get('sslmode')), {
    message: 'has an unknown sslmode. Use disable, require or verify-full',
  });

export const smtpUrl = z
  .string()
  .refine((url) => /^smtps?:\/\/[^/]/.test(url) && URL.canParse(url) && !/\s/.test(url), {
    message:
      'must be a URL such as smtp://USER:PASSWORD@mail.example.com:587, or begin with smtps://. Write special characters of the password as their codes, such as %23 for #',
  });

export const mailSender = z.string().regex(/^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, {
  message: 'must be an address such as "Wirebird <alerts@example.com>"',
});

export const timeZoneName = z.string().refine(isTimeZone, {
  message: 'must be an IANA time zone such as Europe/Berlin',
});

/** Whether it is a name. PostgreSQL reads the sign of an offset such as +02:00 the other way round. */
function isTimeZone(zone: string): boolean {
  try {
    return /^[A-Z]/i.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

export const contactBudget = z.string().refine((text) => parseBudget(text) !== null, {
  message:
    'must be a list of DAY:PEOPLE pairs (days since linking, new people in 24 hours) that starts with day 0, such as 0:10,7:40',
});

export const whatsAppBuild = z
  .string()
  .regex(
    /^(latest|last-good|\d[0-9A-Za-z.-]{0,63})$/,
    'must be latest, last-good or a version of WhatsApp Web such as 2.3000.1038183521',
  );
