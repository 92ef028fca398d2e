import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readPage } from '../../deploy/operations-page.ts';
import { until } from '../faults/until.ts';
import { freePort } from '../stack.ts';
import { Load } from './load.ts';
import type { Stage, Story } from './stage.ts';
import { Terminal } from './terminal.ts';

const ADMIN = 'eve@wirebird.example';
const CUSTOMER = 'parcels@heron.example';
const PAGE = path.join(import.meta.dirname, '../../docs/operations.md');
/** The name that the page uses in its example of going back. */
const BEFORE = 'before-2026-11-22-0930';
const DAILY = '/var/backups/wirebird/2026-11-21.backup';

export const operator: Story = {
  name: 'operator',
  situation: `You are Eve. You run Wirebird on one machine, for yourself and a few customers.
Today you upgrade it while a customer's program sends one message each second. Later you go back to the backup,
and in the evening you move to another machine. You follow docs/operations.md. The version stays the same here:
"git pull", "npm ci" and "npm run build" change nothing, and systemctl is replaced by starting the same command.`,
  env: { SANDBOX_SEND_INTERVAL_MS: '1000' },

  async play(stage) {
    const place = mkdtempSync(path.join(os.tmpdir(), 'wirebird-play-'));
    const { dataDir } = stage.stack;
    try {
      await day(stage, place);
    } finally {
      await stage.end();
      for (const one of [place, dataDir]) rmSync(one, { recursive: true, force: true });
    }
  },
};

async function day(stage: Stage, place: string): Promise<void> {
  const { notes } = stage;
  const page = readPage(readFileSync(PAGE, 'utf8'));
  const old = { dataDir: stage.stack.dataDir, port: Number(new URL(stage.stack.url).port) };
  const terminal = new Terminal(stage, place, old);
  await stage.person(ADMIN, { admin: true });
  await stage.person(CUSTOMER);
  const { instance, key } = await stage.number(CUSTOMER, 'Parcels');
  const link = `cli number link --instance ${instance}`;

  await terminal.type('cli doctor');
  await see(stage, ['health', 'workers']);

  notes.says('you', 'The upgrade, while the customer’s program sends.');
  await queue(stage, key);
  const load = new Load(stage, key);
  await until('the program has sent some messages', () => load.accepted >= 5);
  await terminal.type(page.upgrade, { 'before-$(date +%F-%H%M)': BEFORE });
  await connected(stage, instance);
  await load.end();
  notes.says('log', `The log of the customer’s program:\n\n${load.log.join('\n')}`);
  const inbox = await stage.stack.cli<{ body?: string }[]>('sandbox', 'inbox', '--instance', instance);
  const parcels = inbox.filter(({ body }) => body?.startsWith('Parcel')).map(({ body }) => body);
  const counts = `${load.accepted} requests were answered 200. ${parcels.length} messages arrived, ${new Set(parcels).size} different ones.`;
  notes.says('phone', `On the phone of the recipient:\n\n${counts}`);
  await see(stage, ['health', 'workers']);
  await mails(stage);

  notes.says(
    'you',
    'The new version misbehaves. You go back to the backup from before the upgrade, on the same machine.',
  );
  await terminal.type('cli backup /var/backups/wirebird/present.backup');
  await terminal.type(page.goBack);
  await terminal.type('cli doctor');
  await see(stage, ['health'], [`/numbers/${instance}`, '/messages', '/']);
  await mails(stage);
  notes.says('you', 'The customer links the number again.');
  await terminal.type(link);
  await terminal.type('cli doctor');
  await see(stage, ['health'], [`/numbers/${instance}`, '/messages']);
  await mails(stage);

  notes.says('you', 'In the evening you move to another machine. First a mistake: Wirebird still runs.');
  await queue(stage, key);
  await terminal.type('cli backup /var/backups/wirebird/move.backup --move');
  notes.says('you', 'Now as the page says.');
  await terminal.type(page.move);
  notes.says('you', 'Out of habit, you start the old machine again.');
  await terminal.type('systemctl start wirebird');
  await terminal.type('cli doctor');

  notes.says('you', 'On the new machine, with the settings and the three secrets of the old one.');
  terminal.machine = { dataDir: path.join(place, 'new'), port: await freePort() };
  cpSync(path.join(old.dataDir, 'secrets'), path.join(place, 'new/secrets'), { recursive: true });
  const restore = page.backUpAndRestore.slice(page.backUpAndRestore.indexOf('# on an empty machine'));
  await terminal.type(restore, { [DAILY]: '/var/backups/wirebird/move.backup' });
  await terminal.type('systemctl start wirebird && cli doctor');
  await see(stage, ['health', 'workers'], [`/numbers/${instance}`, '/messages']);
  await mails(stage);
  await terminal.type(`${link}\ncli doctor`);
  await see(stage, ['health'], ['/', `/numbers/${instance}`]);
  await mails(stage);
}

/** What the administrator sees, and what the customer sees. */
async function see(stage: Stage, pages: string[], ofCustomer: string[] = []): Promise<void> {
  const admin = await stage.visit(ADMIN);
  for (const name of pages) await stage.look(admin, `/admin/${name}`, name);
  await admin.context().close();
  if (ofCustomer.length === 0) return;
  const customer = await stage.visit(CUSTOMER);
  for (const at of ofCustomer) await stage.look(customer, at, 'customer');
  await customer.context().close();
}

/** The mails so far. */
async function mails(stage: Stage): Promise<void> {
  for (const email of [ADMIN, CUSTOMER]) await stage.mailTo(email, 0);
}

/** Messages that wait, and one for tomorrow. */
async function queue(stage: Stage, key: string): Promise<void> {
  const at = new Date(Date.now() + 86_400_000).toISOString();
  for (let n = 1; n <= 12; n++) {
    const headers = { prefer: 'respond-async', ...(n === 12 && { 'x-send-at': at }) };
    const body = {
      to: `49155505001${String(n).padStart(2, '0')}`,
      body: `Your parcel comes today, stop ${n}.`,
    };
    await stage.call({ key, path: '/messages/text', headers, body });
  }
}

function connected({ sql }: Stage, instance: string): Promise<void> {
  const status = async () => (await sql`select status from numbers where id = ${instance}`)[0]?.status;
  return until('the number is connected', async () => (await status()) === 'CONNECTED', 120_000);
}
