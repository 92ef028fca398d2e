import { z } from 'zod';
import { SHOWN_KIND_STATES } from '#server/core/build-kinds.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { HEALTH_LEVELS } from '#server/core/number-health.ts';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { successOf } from '../envelope.ts';
import { operationsOf } from '../operation.ts';

export const getNumberMeta = operationsOf('Number')('GET', '/number', {
  summary: 'Get the number and its health',
  description:
    'The restrictions that WhatsApp reports for the key’s number, whether it can contact new people, and the outcomes of its recent messages. The status is 200 in every state.',
  successDescription: 'The number and its health.',
});

export const GetNumberRequest = z.object({});

const At = z.iso.datetime();
const until = (what: string) => At.nullable().meta({ description: `${what} UTC.` });

const kindField = (type: MessageType) =>
  z.enum(SHOWN_KIND_STATES).meta({ description: `Messages of POST /v1/messages/${type}.` });
const kindFields = Object.fromEntries(MESSAGE_TYPES.map((type) => [type, kindField(type)])) as Record<
  MessageType,
  ReturnType<typeof kindField>
>;

export const GetNumberAnswer = successOf(
  z
    .object({
      instance: z.string().meta({ description: 'Identifier of the linked number.' }),
      phoneNumber: z.string().meta({ description: 'Digits; empty if it was never linked.' }),
      status: z.enum(NUMBER_STATUSES).meta({ description: 'Same as in GET /v1/status.' }),
      connected: z.boolean().meta({ description: '`true` exactly when `status` is `CONNECTED`.' }),
      statusReason: z.string().nullable().meta({
        description:
          'Why it has this status and what WhatsApp asks for, such as a passkey while it is being linked; while it is connected, which kinds of messages fail: a sentence for people. The wording may change. Null if there is nothing to say.',
      }),
      linkedAt: until('When this phone was linked; null if never.'),
      blockedUntil: until(
        'While the status is BLOCKED: WhatsApp has blocked the number until then. Null otherwise, or if no end is known.',
      ),
      health: z
        .object({
          level: z.enum(HEALTH_LEVELS).meta({
            description:
              '`good`: no problem is known. `watch`: it sends, but something should change. `limited`: it cannot contact new people.',
          }),
          sentence: z.string().meta({ description: 'A sentence for people. The wording may change.' }),
          todo: z
            .string()
            .nullable()
            .meta({ description: 'What to do, as a sentence for people; null if there is nothing to do.' }),
        })
        .meta({ description: 'Health of the number.' }),
      newContacts: z
        .object({
          allowed: z.boolean().meta({ description: 'Whether it can contact new people now.' }),
          limit: z.enum(['timelock', 'cap', 'pause', 'budget']).nullable().meta({
            description:
              'Why not; null if it can. `timelock` and `cap` come from WhatsApp. `pause` (after refusals) and `budget` come from the number’s protection.',
          }),
          nextAt: until('When it can contact new people again; null if it can now.'),
          budget: z.int().nullable().meta({
            description:
              'How many new people the number may contact in 24 hours; null if it is not protected.',
          }),
          used: z.int().meta({
            description: 'New people in the last 24 hours, including those whose messages are still waiting.',
          }),
        })
        .meta({ description: 'New people: people the number has never exchanged messages with.' }),
      timelock: z
        .object({
          kind: z.string().meta({ description: 'As WhatsApp names it.' }),
          until: until('When it ends; null when it is not known.'),
        })
        .nullable()
        .meta({
          description:
            'The restriction that stops the number from starting conversations; null if there is none.',
        }),
      cap: z
        .object({
          status: z
            .enum(['NONE', 'FIRST_WARNING', 'SECOND_WARNING', 'CAPPED'])
            .meta({ description: 'As WhatsApp names it.' }),
          total: z.int().nullable().meta({ description: 'New conversations allowed in a cycle.' }),
          used: z.int().nullable().meta({ description: 'New conversations so far in this cycle.' }),
          until: until('The end of the cycle.'),
        })
        .nullable()
        .meta({ description: 'WhatsApp’s cap for new conversations; null if none is known.' }),
      checkpoint: z.string().nullable().meta({
        description:
          'How WhatsApp asks to verify who uses the number, such as `PASSKEY`; null if it does not ask.',
      }),
      protected: z.boolean().meta({ description: 'Whether “Protect this number” is on.' }),
      lately: z
        .object({
          messages: z.int().meta({ description: 'Messages given to WhatsApp Web, whatever their outcome.' }),
          notTaken: z.int().meta({ description: 'Those of them that failed or were not confirmed.' }),
          people: z.int().meta({ description: 'Recipients of these messages, groups included.' }),
          newPeople: z.int().meta({ description: 'New people among them.' }),
        })
        .meta({ description: 'The last 7 days. After a change of the phone number: since then.' }),
      kinds: z.object(kindFields).meta({
        description:
          'Each kind of message on the number’s build of WhatsApp Web. `ok`: WhatsApp has accepted one. `failing`: requests get 409, other kinds are sent. `unproven`: none was sent on this build yet; requests are accepted.',
      }),
    })
    .meta({ id: 'Number' }),
).meta({ id: 'NumberAnswer' });
