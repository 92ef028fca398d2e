import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { profilePath, userDataDir } from '#worker/engine/profile.ts';
import { atStep, STEPS } from './at-step.ts';
import {
  BACK_WITHIN_MS,
  browserOf,
  browsers,
  duringSend,
  kill,
  renderers,
  unknownThenResolved,
  untilNoticed,
} from './breaks.ts';
import type { FaultNumber } from './numbers.ts';
import { expectFate, fateOf, untilStored } from './oracle.ts';
import { post, summaryOf } from './post.ts';
import {
  ACCEPTED,
  expectEither,
  expectNotDelivered,
  expectSent,
  MANY_TIMES,
  type Row,
  reasonOf,
  resolvedFate,
} from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Faults of a session: its browser, its page, WhatsApp's server, its profile. */

const CHROMIUM = ['chromium'] as const;

export const SESSION_ROWS: Row[] = [
  {
    name: 'browser-killed-idle',
    fault: 'Chromium SIGKILL, idle',
    transports: CHROMIUM,
    async run(world, posts) {
      const number = await world.number();
      const began = performance.now();
      await untilNoticed(world, number, () => kill(browsers(browserOf(world, number)), 'SIGKILL'));
      const refused = await posts(post(world, number)).answer;
      if (!['409', '200'].includes(summaryOf(refused)))
        throw new Error(`the caller saw ${summaryOf(refused)}`);
      await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
      const backMs = performance.now() - began;
      if (backMs > BACK_WITHIN_MS) throw new Error(`reconnected after ${backMs} ms`);
      const [{ qrs = 0 } = {}] = await world.database.sql<{ qrs: number }[]>`
        select count(*)::int as qrs from number_links where number_id = ${number.numberId} and qr is not null`;
      if (qrs > 0) throw new Error('a QR was shown');
      return `${summaryOf(refused)}, RECONNECTING, back without QR`;
    },
  },
  ...(
    [
      [
        'browser-killed-sending',
        'Chromium SIGKILL while sending',
        (w, n) => kill(browsers(browserOf(w, n)), 'SIGKILL'),
      ],
      [
        'page-crashed-sending',
        'page crash while sending',
        (w, n) => kill(renderers(browserOf(w, n)), 'SIGSEGV'),
      ],
      ['page-hung-sending', 'page hang while sending', (w, n) => kill(renderers(browserOf(w, n)), 'SIGSTOP')],
      [
        'page-reloaded-sending',
        'navigation while sending',
        async (w, n) => {
          await w.sandbox.reload({ phone: n.phone });
        },
      ],
    ] as [string, string, (world: World, number: FaultNumber) => unknown][]
  ).map(
    ([name, fault, strike]): Row => ({
      name,
      fault,
      duplicates: true,
      transports: CHROMIUM,
      async run(world, posts, seed) {
        const number = await world.number();
        const sending = await duringSend(world, number, seed, posts);
        await untilNoticed(world, number, () => strike(world, number));
        return unknownThenResolved(world, number, sending);
      },
    }),
  ),
  {
    name: 'page-busy-sending',
    fault: 'page hang while sending, by its own script',
    duplicates: true,
    transports: CHROMIUM,
    async run(world, posts) {
      const number = await world.number();
      await world.transport.rule(number, { stage: 'wire', action: 'busy', ms: 60_000 });
      const posted = posts(post(world, number));
      await untilNoticed(world, number, () => untilStored(world, posted, 'sending'));
      return unknownThenResolved(world, number, { posted, stage: 'wire' });
    },
  },
  ...(
    [
      [
        'page-starts-nothing',
        'the page answers pings and begins to send nothing',
        'job',
        2,
        '502 not_sent',
        'failed',
      ],
      ['page-sends-nothing', 'the page answers pings and sends nothing', 'wire', 3, '502 unknown', 'unknown'],
    ] as const
  ).map(
    ([name, fault, stage, times, caller, stored]): Row => ({
      name,
      fault,
      transports: CHROMIUM,
      async run(world, posts) {
        const number = await world.number();
        const restarts = async () => {
          const [row] = await world.database.sql<{ n: number }[]>`
            select count(*)::int as n from number_events where number_id = ${number.numberId} and cause ->> 'code' = 'not_sending'`;
          return row?.n ?? 0;
        };
        const before = await restarts();
        // Shows that the page's jobs ask at their gate: before that, nothing that waits is certain.
        const first = posts(post(world, number));
        await first.answer;
        await expectSent(world, first);
        for (let n = 0; n < times; n += 1) {
          await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
          await world.transport.rule(number, { stage, action: 'hang' });
          await untilNoticed(world, number, async () => {
            const posted = posts(post(world, number));
            await posted.answer;
            await expectNotDelivered(world, posted, caller, stored);
          });
        }
        await until('the number restarts', async () => (await restarts()) === before + 1, BACK_WITHIN_MS);
        await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
        const next = posts(post(world, number));
        await next.answer;
        return `${times} × ${caller}, RECONNECTING; then ${await expectSent(world, next)}`;
      },
    }),
  ),
  {
    name: 'socket-silent',
    fault: 'socket offline while "CONNECTED"',
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      const { posted } = await atStep(world, number, { posts, seed: STEPS.indexOf('wire') });
      await world.transport.disconnect(number, { silently: true });
      const first = summaryOf(await posted.answer);
      const then = summaryOf(await posts(post(world, number)).answer);
      await world.transport.reconnect(number);
      await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
      const fate = await resolvedFate(world, posted);
      if (then !== '409') throw new Error(`then the caller saw ${then}`);
      return `${first}, then ${then}: ${expectEither(fate, ['502 unknown'], ['unknown'])}`;
    },
  },
  {
    name: 'server-refuses',
    fault: 'server refuses (ack −1)',
    async run(world, posts) {
      const number = await world.number();
      await world.transport.rule(number, { stage: 'wire', action: 'refuse' });
      const posted = posts(post(world, number));
      return expectNotDelivered(world, posted, '502 not_sent', 'failed');
    },
  },
  {
    name: 'recipient-unknown',
    fault: 'recipient not on WhatsApp; group unknown',
    transports: CHROMIUM,
    async run(world, posts) {
      const number = await world.number();
      await world.transport.rule(number, { stage: 'exists', action: 'not-on-whatsapp' });
      const person = posts(post(world, number));
      const seen = await expectNotDelivered(world, person, '400', 'failed');
      const group = posts(post(world, number, { to: '120363999999999999@g.us' }));
      return `${seen}; ${await expectNotDelivered(world, group, '400', 'failed')}`;
    },
  },
  {
    name: 'ids-renamed',
    fault: '`sendMessage` resolves `undefined`; IDs renamed in the page',
    transports: CHROMIUM,
    async run(world, posts) {
      const number = await world.number();
      await world.transport.rule(number, { stage: 'add', action: 'rekey' });
      const posted = posts(post(world, number));
      return expectSent(world, posted);
    },
  },
  {
    name: 'synced-before-listening',
    fault: 'page synced before the listeners attach',
    transports: CHROMIUM,
    async run(world) {
      const number = await world.number();
      await world.sandbox.configure({ raceSync: true });
      try {
        await untilNoticed(world, number, () => kill(browsers(browserOf(world, number)), 'SIGKILL'));
        await world.untilStatus(number, 'CONNECTED', 30_000);
      } finally {
        await world.sandbox.configure({ raceSync: false });
      }
      return 'CONNECTED within 30 s';
    },
  },
  ...(['this', 'another'] as const).map(
    (host): Row => ({
      name: `stale-lock-of-${host}-host`,
      fault: `stale profile lock of ${host} host`,
      transports: CHROMIUM,
      async run(world) {
        const number = await world.number();
        await world.worker.end('SIGTERM');
        const directory = userDataDir(profilePath(world.dataDir, number.numberId));
        const name = host === 'this' ? os.hostname() : 'another-machine';
        await fs.rm(path.join(directory, 'SingletonLock'), { force: true });
        await fs.symlink(`${name}-4194303`, path.join(directory, 'SingletonLock'));
        await world.worker.start();
        await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
        return 'CONNECTED';
      },
    }),
  ),
  {
    name: 'profile-disk-full',
    fault: 'disk full in the profile directory',
    transports: CHROMIUM,
    async run(world, posts) {
      const number = await world.number();
      await world.worker.end('SIGTERM');
      await world.worker.start({ fileBytesMax: 64 * 1024 });
      try {
        const reason = () => reasonOf(world, number);
        await until('the reason is shown', async () => (await reason()) === 'disk_full');
        const posted = posts(post(world, number));
        const seen = await expectNotDelivered(world, posted, '409', 'nothing');
        return `${seen}: "${await reason()}"`;
      } finally {
        await world.worker.end('SIGTERM');
      }
    },
  },
  {
    name: 'spool-disk-full',
    fault: 'disk full in the media spool',
    transports: CHROMIUM,
    async run(world, posts) {
      const number = await world.number();
      await fs.chmod(path.join(world.dataDir, 'media'), 0o700);
      await world.worker.end('SIGTERM');
      const { url, bytes } = world.files.big;
      await world.worker.start({ fileBytesMax: bytes - 1024 });
      try {
        await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
        const body = { url, filename: 'big.bin' };
        const file = posts(post(world, number, { path: '/messages/document', body }));
        const seen = await expectNotDelivered(world, file, '503', 'failed');
        const sent = { callers: ['200'], stored: ACCEPTED, delivered: [1] };
        const text = posts(post(world, number));
        const beside = expectFate(await fateOf(world, text), sent);
        await world.worker.end('SIGTERM');
        await world.worker.start();
        await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
        // A big file may take longer than the wait for an acknowledgement; any outcome frees its space.
        await fateOf(world, posts(post(world, number, { path: '/messages/document', body })));
        const spooled = () => fs.readdir(path.join(world.dataDir, 'media'));
        await until(
          'the file is deleted with its message’s outcome',
          async () => (await spooled()).length === 0,
        );
        return `${seen}; text ${beside}`;
      } finally {
        await world.worker.end('SIGTERM');
      }
    },
  },
  {
    name: 'out-of-memory',
    fault: "one number's browser out of memory (its page killed, as the kernel does)",
    duplicates: true,
    transports: CHROMIUM,
    async run(world, posts, seed) {
      const [poor, other] = [await world.number(0), await world.number(1)];
      const sending = await duringSend(world, poor, seed, posts);
      await untilNoticed(world, poor, () => kill(renderers(browserOf(world, poor)), 'SIGKILL'));
      const beside = posts(post(world, other));
      const untouched = await expectSent(world, beside);
      const [{ events = 0 } = {}] = await world.database.sql<{ events: number }[]>`
        select count(*)::int as events from number_events
        where number_id = ${other.numberId} and status = 'RECONNECTING' and at > clock_timestamp() - interval '3 seconds'`;
      if (events > 0) throw new Error('the other number was affected');
      return `${await unknownThenResolved(world, poor, sending)}; the other: ${untouched}`;
    },
  },
];
