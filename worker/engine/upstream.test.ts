import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Repairs of the library, each with the part of the library's source that shows that it is still needed. */

const library = path.dirname(createRequire(import.meta.url).resolve('whatsapp-web.js/package.json'));
const read = (file: string) => fs.readFileSync(path.join(library, 'src', file), 'utf8');
const client = read('Client.js');

/** The source from `from` up to the next `to`; empty if either is missing. */
function between(source: string, from: string, to: string): string {
  const start = source.indexOf(from);
  const end = source.indexOf(to, start + from.length);
  return start === -1 || end === -1 ? '' : source.slice(start, end);
}

const navigated = between(client, "on('framenavigated'", '\n    }');
const logout = between(client, 'async logout() {', '\n    }');
const synced = between(client, "'change:hasSynced'", '});');

/** The case, the file of our repair, and whether upstream still needs it. */
const NEEDED: [name: string, repair: string, needed: boolean][] = [
  [
    'unawaited-injection',
    'whatsapp-web.ts',
    navigated.includes('await this.inject();') && !/try|catch/.test(navigated),
  ],
  [
    'page-source-read',
    'whatsapp-web.ts',
    /on\('response', async \(res\) => \{[^}]*await res\.text\(\);/.test(client),
  ],
  [
    'profile-deleted',
    'whatsapp-web.ts',
    navigated.includes('await this.authStrategy.logout();') &&
      !navigated.includes('close') &&
      /async logout\(\) \{\s*if \(this\.userDataDir\) \{\s*await fs\.promises\s*\.rm\(/.test(
        read('authStrategies/LocalAuth.js'),
      ),
  ],
  [
    'user-agent',
    'mask-headless.ts',
    client.includes('page.setUserAgent(this.options.userAgent);') &&
      read('util/Constants.js').includes('Chrome/101.'),
  ],
  [
    'logout-closes',
    'session.ts',
    /Socket\.logout\(\);\s*\}\);\s*await this\.pupBrowser\.close\(\);/.test(logout),
  ],
  ['qr-refresh', 'page/state.ts', client.includes("window.require('WAWebCmd').Cmd.refreshQR();")],
  ['qr-secret', 'page/qr.ts', !client.includes('advSecret')],
  ['synced-before', 'page/state.ts', client.split('hasSynced').length === 2],
  [
    'ready-at-logout',
    'readiness.ts',
    synced.replaceAll(/\s/g, '') === "'change:hasSynced',()=>{window.onAppStateHasSyncedEvent();",
  ],
  [
    'lid-for-phone',
    'page/login.ts',
    /getMaybeMePnUser\(\) \|\|[^;]{0,300}getMaybeMeLidUser\(\)/.test(client),
  ],
  ['takeover', 'connection-watch.ts', client.includes('.Socket.takeover()')],
  [
    'code-repeated',
    'linking.ts',
    /\}, intervalMs\);\s*return window\.onCodeReceivedEvent\(await getCode\(\)\);/.test(client),
  ],
];

test.each(NEEDED)('%s: the repair in %s is still needed', (name, repair, needed) => {
  const words = `upstream has fixed "${name}", or changed it: look, and remove our repair in worker/engine/${repair}`;
  expect(needed, words).toBe(true);
});

test('each repair is marked in the code', () => {
  for (const file of new Set(NEEDED.map(([, repair]) => repair))) {
    const source = fs.readFileSync(path.join(import.meta.dirname, file), 'utf8');
    const marks = source.match(/\/\/ Upstream: .+ \(docs\/upstream\.md\)/g) ?? [];
    expect(marks, file).toHaveLength(NEEDED.filter(([, repair]) => repair === file).length);
  }
});

test('the table of repairs lists each of them with its file', () => {
  const table = fs.readFileSync(path.join(import.meta.dirname, '../../docs/upstream.md'), 'utf8');
  const rows = table.split('\n').filter((line) => /^\| [a-z-]+ \|/.test(line) && !line.startsWith('| case '));
  const named = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  expect(named.map(([, name]) => name)).toEqual(NEEDED.map(([name]) => name));
  for (const [index, [, repair]] of NEEDED.entries()) expect(named[index]?.[3]).toContain(repair);
});
