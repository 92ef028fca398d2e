import { z } from 'zod';
import { AppError } from './errors.ts';
import { KINDS } from './kinds/index.ts';
import { contentOf, type MessageContent, type MessageType } from './message.ts';
import type { Recipient } from './recipient.ts';
import { builders, recipientField } from './request-fields.ts';

/**
 * The request schema of each kind, for REST, its document and the dashboard's forms. Made for each use, because
 * trpc-openapi changes the schemas that it gets.
 */
export function requestFields(type: MessageType) {
  const fields = Object.entries<(f: typeof builders) => z.ZodType>(KINDS[type].fields);
  return {
    to: recipientField(),
    ...Object.fromEntries(fields.map(([name, field]) => [name, field(builders)])),
  };
}

/** The error of each invalid field of a request; empty if it can be sent. */
export function problemsOf(type: MessageType, request: unknown): Partial<Record<string, string>> {
  const problems: Partial<Record<string, string>> = {};
  for (const issue of z.object(requestFields(type)).safeParse(request).error?.issues ?? [])
    problems[String(issue.path[0] ?? '')] ??= issue.message;
  return problems;
}

/** The recipient and the content of a request. Throws `invalid_parameters`. */
export function readSendRequest(
  type: MessageType,
  request: unknown,
): { recipient: Recipient; content: MessageContent } {
  const read = z.object(requestFields(type)).safeParse(request);
  if (!read.success)
    throw new AppError('invalid_parameters', read.error.issues[0]?.message ?? 'The request is not valid.');
  return { recipient: read.data.to, content: contentOf(type, read.data) };
}
