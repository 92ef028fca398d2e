import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';
import type { PasskeyRequest } from '#server/core/passkey.ts';
import { stripTypes } from '#server/platform/strip-types.ts';
import { settings } from '#server/settings.ts';

/** What has the owner's browser sign on WhatsApp's site: the extension, or code for the browser's console. */

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../clients/passkey-extension');
const ICONS = ['icon-16.png', 'icon-48.png', 'icon-128.png'];

const script = (name: string) => stripTypes(fs.readFileSync(path.join(FOLDER, 'src', name), 'utf8'));

/** The extension's files. It works on WhatsApp Web and on this installation's address, nowhere else. */
export function extensionFiles(): Map<string, Uint8Array> {
  const manifest = fs.readFileSync(path.join(FOLDER, 'manifest.json'), 'utf8');
  const texts = {
    'manifest.json': manifest.replaceAll('{address}', settings.publicUrl),
    'page.js': `${script('sign.ts')}\n${script('page.ts')}`,
    'whatsapp.js': script('whatsapp.ts'),
    'dashboard.js': script('dashboard.ts'),
    'worker.js': script('worker.ts'),
  };
  return new Map([
    ...Object.entries(texts).map(([name, text]) => [name, strToU8(text)] as const),
    ...ICONS.map((name) => [name, new Uint8Array(fs.readFileSync(path.join(FOLDER, name)))] as const),
  ]);
}

export function extensionArchive(): Uint8Array {
  return zipSync(Object.fromEntries(extensionFiles()));
}

/** Code for the console of WhatsApp Web. It copies the answer, and prints it for browsers that cannot. */
export function consoleCode({ token, request }: { token: string; request: PasskeyRequest }): string {
  const sign = script('sign.ts')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//') && !line.trim().startsWith('/**'))
    .map((line) =>
      line
        .replace(/ {2,}/g, (spaces, at: number) => (at === 0 ? spaces : ' '))
        .replaceAll(' )', ')')
        .trimEnd(),
    );
  return [
    '(async () => {',
    'const put = typeof copy === "function" ? copy : () => {};',
    ...sign,
    `const assertion = await wirebirdSign(${JSON.stringify(request)});`,
    `const answer = JSON.stringify({ token: ${JSON.stringify(token)}, assertion });`,
    'put(answer);',
    'console.log(answer);',
    '})().catch((error) => console.error(error.message));',
  ].join('\n');
}
