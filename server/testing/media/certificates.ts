import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** PEM texts as TLS servers take them. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A certificate authority for one test run, which signs anything. */
export interface TestAuthority {
  cert: string;
  /** A certificate for these host names, valid for `days` from yesterday; negative days: expired. */
  issue(hosts: readonly string[], days?: number): Certificate;
}

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

export function createAuthority(): TestAuthority {
  const name = commonName('Wirebird test authority');
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authority = { name, key: keys.privateKey, spki: spkiOf(keys.publicKey) };
  const cert = certificate({
    issuer: authority,
    subject: name,
    spki: authority.spki,
    from: -2,
    until: 30,
    extensions: [extension('2.5.29.19', sequence(Buffer.from([1, 1, 0xff])), true)], // basicConstraints: CA
  });
  return {
    cert,
    issue(hosts, days = 7) {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = hosts.map((host) => tlv(0x82, Buffer.from(host)));
      return {
        key: pemKey(leaf.privateKey),
        cert: certificate({
          issuer: authority,
          subject: commonName(hosts[0] ?? ''),
          spki: spkiOf(leaf.publicKey),
          from: Math.min(-1, days - 1),
          until: days,
          extensions: [extension('2.5.29.17', sequence(...names))], // subjectAltName
        }),
      };
    },
  };
}

/** Runs `task` while this process also trusts the authority. */
export async function trusting(authorityCert: string, task: () => Promise<void>): Promise<void> {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, authorityCert]);
  try {
    await task();
  } finally {
    setDefaultCACertificates(before);
  }
}

/** A self-signed certificate. */
export function selfSigned(host: string): Certificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: commonName(host), key: keys.privateKey, spki: spkiOf(keys.publicKey) };
  const san = extension('2.5.29.17', sequence(tlv(0x82, Buffer.from(host))));
  const cert = certificate({
    issuer,
    subject: issuer.name,
    spki: issuer.spki,
    from: -1,
    until: 7,
    extensions: [san],
  });
  return { key: pemKey(keys.privateKey), cert };
}

/** X.509 version 3, RFC 5280, signed with ECDSA over P-256. `from` and `until` are days from now. */
function certificate(options: {
  issuer: { name: Buffer; key: KeyObject };
  subject: Buffer;
  spki: Buffer;
  from: number;
  until: number;
  extensions: Buffer[];
}): string {
  const { issuer, subject, spki, from, until, extensions } = options;
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    issuer.name,
    sequence(utcTime(from), utcTime(until)),
    subject,
    spki,
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, issuer.key)]));
  return pem('CERTIFICATE', sequence(body, ECDSA_SHA256, signature));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [Buffer.from([1, 1, 0xff])] : []), tlv(0x04, value));
}

function commonName(text: string): Buffer {
  // Names differ in an extra part, so that two authorities are never confused.
  const unique = createHash('sha256').update(randomBytes(8)).digest('hex').slice(0, 8);
  const part = (id: string, value: string) => tlv(0x31, sequence(oid(id), tlv(0x0c, Buffer.from(value))));
  return sequence(part('2.5.4.10', unique), part('2.5.4.3', text));
}

function utcTime(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tlv(0x17, Buffer.from(`${text}Z`));
}

function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function pemKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

/** One DER element: tag, length, contents. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const septets = [arc & 0x7f];
    for (let high = arc >>> 7; high > 0; high >>>= 7) septets.unshift((high & 0x7f) | 0x80);
    return septets;
  });
  return tlv(0x06, Buffer.from([first * 40 + second, ...bytes]));
}
