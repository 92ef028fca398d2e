import { afterAll, beforeAll, expect, test } from 'vitest';
import { personOf } from '#server/core/recipient.ts';
import { readNewContact } from '#server/messages/queries/new-contacts.ts';
import { writeLookUp } from '#server/numbers/queries/look-ups.ts';
import { findHealth } from '#server/numbers/queries/number-health.ts';
import { startWorld, until, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let people = 0;
/** A person in Argentina: the number as callers ask, and the one that WhatsApp knows, with a 9. */
function argentinian() {
  const last = (people++).toString().padStart(7, '0');
  const [asked, real] = [`54114${last}`, `549114${last}`];
  world.network.otherForms.set(asked, personOf(real));
  return { asked, real };
}

const lastDelivery = (numberId: string) =>
  world.network.delivered.findLast((one) => one.numberId === numberId);
const known = async (numberId: string) => {
  const rows = await world.database.sql<{ recipient: string }[]>`
    select recipient from recipients where number_id = ${numberId} and known_at is not null order by recipient`;
  return rows.map(({ recipient }) => recipient);
};

test('the form that WhatsApp knows is kept for later sessions', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  const { asked, real } = argentinian();
  await world.text(key, asked, 'first');
  expect(lastDelivery(numberId)).toMatchObject({ recipient: personOf(asked), address: personOf(real) });
  const { lookUps } = world.network;
  world.network.kill(numberId);
  await world.untilStatus(numberId, 'RECONNECTING');
  await world.untilStatus(numberId, 'CONNECTED');
  await world.text(key, asked, 'second');
  expect(lastDelivery(numberId)).toMatchObject({ address: personOf(real) });
  expect(world.network.lookUps).toBe(lookUps);
});

test('a hidden number gets its messages at the hidden id', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  world.network.otherForms.set('491760000101', '123456789012345@lid');
  const { message } = await world.text(key, '491760000101', 'hello');
  expect(message.status).toBe('sent');
  expect(lastDelivery(numberId)).toMatchObject({ address: '123456789012345@lid' });
  expect(await known(numberId)).toContain('491760000101@c.us');
});

test('after a restart an unknown message is looked for at the form that WhatsApp knows', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  const { asked } = argentinian();
  world.network.behave(numberId, 'drop');
  await expect(world.text(key, asked, 'drop')).rejects.toMatchObject({ code: 'send_unknown' });
  await until(async () => {
    const [row] = await world.database.sql<{ status: string }[]>`
      select status from messages where number_id = ${numberId}`;
    return row?.status === 'sent';
  }, 15_000);
  expect(world.network.delivered.filter((one) => one.numberId === numberId)).toHaveLength(1);
});

test('somebody who is known by one form of the number is known by the others', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  const [wrote, written, later] = [argentinian(), argentinian(), argentinian()];
  const lookUp = ({ asked, real }: typeof wrote) =>
    writeLookUp(world.database, { numberId, digits: asked, address: personOf(real) });
  await lookUp(wrote);
  world.network.write(numberId, wrote.real);
  await until(async () => (await known(numberId)).includes(personOf(wrote.real)));
  expect(await known(numberId)).toContain(personOf(wrote.asked));

  await world.text(key, written.asked, 'hello');
  await until(async () => (await known(numberId)).includes(personOf(written.real)));

  world.network.write(numberId, later.real);
  await until(async () => (await known(numberId)).includes(personOf(later.real)));
  expect(await known(numberId)).not.toContain(personOf(later.asked));
  await lookUp(later);
  expect(await known(numberId)).toContain(personOf(later.asked));
});

test('a new person who is asked for by two forms of the number counts once', async () => {
  const { numberId } = await world.addLinkedNumber();
  const [twice, other] = [argentinian(), argentinian()];
  await world.database.sql`
    insert into recipients (number_id, recipient, asked_at)
    select ${numberId}, unnest(${[twice.asked, twice.real, other.asked].map(personOf)}::text[]), clock_timestamp()`;
  await writeLookUp(world.database, { numberId, digits: twice.asked, address: personOf(twice.real) });
  const contact = (digits: string) =>
    readNewContact(world.database.db, { numberId, recipient: personOf(digits) });
  expect((await contact('491760000199')).takenInMs).toHaveLength(2);
  for (const form of [twice.asked, twice.real]) {
    const { askedInMs, takenInMs } = await contact(form);
    expect(askedInMs).not.toBeNull();
    expect(takenInMs).toHaveLength(1);
  }
  const health = await findHealth(world.database.db, { accountId: world.accountId, numberId });
  expect(health?.takenInMs).toHaveLength(2);
});

test.each([
  ['Brazil, a mobile number with and without its ninth digit', '5531987654321', '553187654321'],
  ['Mexico, with and without the 1 of mobile numbers', '5215512345678', '525512345678'],
])('%s: one person before WhatsApp has answered', async (_, long, short) => {
  for (const [one, other] of [
    [long, short],
    [short, long],
  ] as const) {
    const { numberId } = await world.addLinkedNumber();
    world.network.write(numberId, one);
    await until(async () => (await known(numberId)).length > 1);
    expect(await known(numberId)).toContain(personOf(other));
    expect(await known(numberId)).toContain(personOf(one));
    await world.database.sql`
      insert into recipients (number_id, recipient, asked_at)
      select ${numberId}, unnest(${[long, short].map(personOf)}::text[]), clock_timestamp()
      on conflict (number_id, recipient) do update set asked_at = excluded.asked_at`;
    const { askedInMs, takenInMs } = await readNewContact(world.database.db, {
      numberId,
      recipient: personOf('491760000199'),
    });
    expect({ askedInMs, people: takenInMs.length }).toEqual({ askedInMs: null, people: 1 });
    const health = await findHealth(world.database.db, { accountId: world.accountId, numberId });
    expect(health?.takenInMs).toHaveLength(1);
  }
});

test.each([
  ['a landline in Brazil', '553133334444'],
  ['a number that would be a landline without the 9', '5531933334444'],
  ['a number in Argentina, where a landline can have the form without the 9', '5491144445555'],
  ['a number in Germany', '491760000155'],
])('%s has no other form', async (_, digits) => {
  const { numberId } = await world.addLinkedNumber();
  const before = await known(numberId);
  world.network.write(numberId, digits);
  await until(async () => (await known(numberId)).includes(personOf(digits)));
  expect(await known(numberId)).toHaveLength(before.length + 1);
});
