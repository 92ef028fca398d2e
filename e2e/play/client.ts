import { setTimeout as delay } from 'node:timers/promises';
import { requests } from '#app/_features/requests/words.ts';
import { until } from '../faults/until.ts';
import type { Call } from './api.ts';
import type { Stage, Story } from './stage.ts';

const EMAIL = 'ben@juniper.example';
const GIVES_UP_MS = 10_000;
const TRIES = 3;
const AGAIN = 'Your program was restarted. It does not know how the request ended, and sends it once more.';

export const client: Story = {
  name: 'client',
  situation: `You are Ben. Your booking program sends confirmations through Wirebird.
Its HTTP client gives up after ${GIVES_UP_MS / 1000} s without an answer and sends the request again, at most ${TRIES} times.
On Saturday evening the number is busy: other requests wait before yours. You are not sure what the guests got.
You look at what the program got, what Wirebird shows, and what is on the guests' phones.`,

  async play(stage) {
    await stage.person(EMAIL);
    const { phone, key, instance } = await stage.number(EMAIL, 'Reservations');
    const table = (to: string, time: string): Call => ({
      ...{ key, path: '/messages/text', timeoutMs: GIVES_UP_MS },
      body: { to, body: `Your table at ${time} is confirmed.` },
    });
    await stage.call({ ...table('4915550200000', '18:00'), timeoutMs: 60_000 });

    stage.notes.says('you', 'A guest books for 19:00. Your program sends no Idempotency-Key.');
    await tryAgain(stage, key, table('4915550200001', '19:00'), 1);
    const page = await stage.visit(EMAIL);
    await stage.look(page, `/numbers/${instance}`, 'number');
    await settled(stage, instance);
    await onPhone(stage, phone, '4915550200001');
    stage.notes.says('you', AGAIN);
    await stage.answer(table('4915550200001', '19:00'));
    await onPhone(stage, phone, '4915550200001');
    await stage.look(page, '/messages', 'messages');
    await stage.look(page, '/requests', 'requests');
    await page.getByRole('row').filter({ hasText: requests.noAnswer }).first().getByRole('button').click();
    await page.getByRole('dialog').waitFor();
    await stage.notes.screen(page, 'request');

    stage.notes.says(
      'you',
      'A guest books for 20:00. Your program now sends an Idempotency-Key for each booking.',
    );
    const keyed = { ...table('4915550200002', '20:00'), headers: { 'idempotency-key': 'booking-2000' } };
    await tryAgain(stage, key, keyed, 5);
    await settled(stage, instance);
    stage.notes.says('you', AGAIN);
    const repeated = await stage.answer(keyed);
    await stage.answer({ key, path: `/messages/${repeated.headers.get('x-message-id')}` });
    await onPhone(stage, phone, '4915550200002');
    await stage.look(page, '/messages', 'messages');
    await stage.look(page, `/messages/${repeated.headers.get('x-message-id')}`, 'message');
    await stage.look(page, '/requests', 'requests');

    stage.notes.says(
      'you',
      'The guest moves the booking to 20:30. Your program uses the key of the booking again.',
    );
    await stage.answer({
      ...keyed,
      body: { to: '4915550200002', body: 'Your table at 20:30 is confirmed.' },
    });
    stage.notes.says('you', 'You look into the documentation.');
    await stage.look(page, '/docs/guides/idempotency', 'guide');
  },
};

/** Other programs' requests go first, then the client sends its own until it gets an answer. */
async function tryAgain(stage: Stage, key: string, own: Call, first: number): Promise<void> {
  const others = [0, 1, 2].map((n) =>
    stage.call({
      key,
      path: '/messages/text',
      body: { to: `491555021000${first + n}`, body: 'See you at 21:00!' },
    }),
  );
  await delay(500); // they are accepted first
  for (let tries = 0; tries < TRIES; tries++) {
    const { status } = await stage.answer(own);
    if (status !== null) break;
  }
  await Promise.all(others);
}

/** Waits until the number's queue is empty. */
function settled({ sql }: Stage, instance: string): Promise<void> {
  return until(
    'every message has an outcome',
    async () =>
      (await sql`select from messages where number_id = ${instance} and status in ('queued', 'sending')`)
        .length === 0,
    120_000,
  );
}

/** What the guest's phone shows. */
async function onPhone(stage: Stage, phone: string, guest: string): Promise<void> {
  const inbox = await stage.sandbox.inbox({ phone });
  const got = inbox.filter(({ to }) => to.startsWith(guest));
  const lines = got.map(({ at, body }) => `${new Date(at).toISOString().slice(11, 19)} UTC  ${body}`);
  stage.notes.says('phone', `The guest's phone shows:\n\n${lines.join('\n')}`);
}
