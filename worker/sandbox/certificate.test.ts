import crypto from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryDirectory } from '#worker/testing/sandbox.ts';
import { certificateFor } from './certificate.ts';
import { close, listen } from './http.ts';

const directory = temporaryDirectory();
const keyFile = path.join(directory, 'key.pem');
afterAll(() => fs.rmSync(directory, { recursive: true }));

test('a certificate names its host, is signed by its own key and is valid now', () => {
  const { cert, key } = certificateFor('web.whatsapp.com', keyFile);
  const parsed = new crypto.X509Certificate(cert);
  expect(parsed.checkHost('web.whatsapp.com')).toBe('web.whatsapp.com');
  expect(parsed.verify(parsed.publicKey)).toBe(true);
  expect(parsed.checkPrivateKey(crypto.createPrivateKey(key))).toBe(true);
  expect(parsed.validFromDate.getTime()).toBeLessThan(Date.now());
  expect(parsed.validToDate.getTime()).toBeGreaterThan(Date.now() + 365 * 86_400_000);
});

test('the key and its SPKI stay the same between starts, readable by its user only', () => {
  const first = certificateFor('web.whatsapp.com', keyFile);
  const second = certificateFor('web.whatsapp.com', keyFile);
  expect(second.spki).toBe(first.spki);
  expect(fs.statSync(keyFile).mode & 0o777).toBe(0o600);
});

test('a key file damaged by a crash is replaced', () => {
  const torn = path.join(directory, 'torn.pem');
  fs.writeFileSync(torn, '-----BEGIN PRIVATE KEY-----\nMIGH');
  expect(certificateFor('web.whatsapp.com', torn).key).toContain('END PRIVATE KEY');
});

test('a TLS server uses it, and a client that trusts it connects', async () => {
  const { key, cert } = certificateFor('web.whatsapp.com', keyFile);
  const server = https.createServer({ key, cert }, (_, response) => response.end('hello'));
  const port = await listen(server, 0);
  const answer = await new Promise<string>((resolve, reject) => {
    const request = https.get(
      { port, host: '127.0.0.1', servername: 'web.whatsapp.com', ca: cert, agent: false },
      (response) => response.on('data', (data) => resolve(String(data))),
    );
    request.on('error', reject);
  });
  await close(server);
  expect(answer).toBe('hello');
});
