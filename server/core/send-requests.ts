import { z } from 'zod';
import { AppError } from './errors.ts';
import { LIMITS, type MessageContent, type MessageType } from './message.ts';
import type { Recipient } from './recipient.ts';
import {
  captionField,
  filenameField,
  mediaUrlField,
  optionalText,
  phoneField,
  recipientField,
  requiredNumber,
  requiredText,
} from './request-fields.ts';

/**
 * The fields of a request of each kind: what REST documents and judges, and what a form of the dashboard is
 * judged by while it is filled in. Made for each user, because trpc-openapi changes the schemas it gets.
 */
export const SEND_FIELDS = {
  text: () => ({
    to: recipientField(),
    body: requiredText({
      field: 'body',
      what: 'the text of the message',
      charsMax: LIMITS.bodyChars,
    }).meta({ description: 'The text of the message, counted in Unicode characters.' }),
  }),
  image: () => ({ to: recipientField(), url: mediaUrlField('the image'), caption: captionField() }),
  document: () => ({
    to: recipientField(),
    url: mediaUrlField('the file'),
    filename: filenameField(),
    caption: captionField(),
  }),
  location: () => ({
    to: recipientField(),
    latitude: requiredNumber({ field: 'latitude', min: -90, max: 90 }),
    longitude: requiredNumber({ field: 'longitude', min: -180, max: 180 }),
    name: optionalText({ field: 'name', charsMax: LIMITS.placeChars }).meta({ description: 'Place name.' }),
    address: optionalText({ field: 'address', charsMax: LIMITS.placeChars }).meta({
      description: 'Address of the place.',
    }),
  }),
  contact: () => ({
    to: recipientField(),
    contactName: requiredText({
      field: 'contactName',
      what: 'the name of the contact',
      charsMax: LIMITS.contactNameChars,
    }).meta({ description: 'Name of the contact.' }),
    contactPhone: phoneField('contactPhone'),
  }),
  audio: () => ({ to: recipientField(), url: mediaUrlField('the audio file') }),
} satisfies Record<MessageType, () => z.ZodRawShape>;

/** The sentence about each field of a request that is wrong; empty when it could be sent. */
export function problemsOf(type: MessageType, request: unknown): Partial<Record<string, string>> {
  const problems: Partial<Record<string, string>> = {};
  for (const issue of z.object(SEND_FIELDS[type]()).safeParse(request).error?.issues ?? [])
    problems[String(issue.path[0] ?? '')] ??= issue.message;
  return problems;
}

/** A request of a kind, read: whom it is for and what it says. Throws `invalid_parameters`. */
export function readSendRequest(
  type: MessageType,
  request: unknown,
): { recipient: Recipient; content: MessageContent } {
  const read = z.object(SEND_FIELDS[type]()).safeParse(request);
  if (!read.success)
    throw new AppError('invalid_parameters', read.error.issues[0]?.message ?? 'The request is not valid.');
  const { to: recipient, ...fields } = read.data;
  // Its schema gives each kind the fields of its content, and no others.
  return { recipient, content: { type, ...fields } as MessageContent };
}
