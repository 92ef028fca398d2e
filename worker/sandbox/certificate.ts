import crypto, { type KeyObject } from 'node:crypto';
import fs from 'node:fs';
import { bitString, explicit, integer, objectId, octets, sequence, set, tagged, time, utf8 } from './der.ts';

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const COMMON_NAME = '2.5.4.3';
const SUBJECT_ALT_NAME = '2.5.29.17';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

export interface Certificate {
  /** PEM. */
  key: string;
  cert: string;
  /** Base64 SHA-256 of the public key, for `--ignore-certificate-errors-spki-list`. */
  spki: string;
}

/**
 * A self-signed certificate for `host` with the key in `keyFile`, which is created (0600) if missing. The key
 * stays the same, so browsers that trust it by its SPKI keep working after the sandbox restarts.
 */
export function certificateFor(host: string, keyFile: string): Certificate {
  const privateKey = loadKey(keyFile) ?? createKey(keyFile);
  const publicKey = crypto.createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', selfSigned(host, privateKey, publicKey)),
    spki: crypto.createHash('sha256').update(publicKey).digest('base64'),
  };
}

function loadKey(file: string): KeyObject | null {
  try {
    return crypto.createPrivateKey(fs.readFileSync(file));
  } catch {
    return null; // missing, or truncated by a crash during the first write
  }
}

function createKey(file: string): KeyObject {
  const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  fs.writeFileSync(`${file}.new`, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
  return privateKey;
}

/** An X.509 v3 certificate in DER, valid from yesterday for ten years. */
function selfSigned(host: string, key: KeyObject, publicKey: Buffer): Buffer {
  const name = sequence(set(sequence(objectId(COMMON_NAME), utf8(host))));
  const validity = sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + 3650 * DAY_MS)));
  const extensions = sequence(
    sequence(objectId(SUBJECT_ALT_NAME), octets(sequence(tagged(0x82, Buffer.from(host))))),
    sequence(objectId(EXTENDED_KEY_USAGE), octets(sequence(objectId(SERVER_AUTH)))),
  );
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), crypto.randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    publicKey,
    explicit(3, extensions),
  );
  return sequence(body, ECDSA_WITH_SHA256, bitString(crypto.sign('sha256', body, key)));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
