'use client';

import { useMemo, useState } from 'react';
import { lazyModule } from '#app/_components/ui/lazy-module.ts';
import { EXAMPLE_TO, exampleOf } from '#app/_features/keys/samples.ts';
import { useSampleFiles } from '#app/_features/keys/use-samples.ts';
import type { MessageType } from '#server/core/message.ts';

/** The fields of each kind, in the order in which they are asked. */
export const FIELDS = {
  text: ['to', 'body'],
  image: ['to', 'url', 'caption'],
  document: ['to', 'url', 'filename', 'caption'],
  location: ['to', 'latitude', 'longitude', 'name', 'address'],
  contact: ['to', 'contactName', 'contactPhone'],
  audio: ['to', 'url'],
} as const satisfies Record<MessageType, readonly string[]>;
export type FieldName = (typeof FIELDS)[MessageType][number];

const NUMERIC: readonly FieldName[] = ['latitude', 'longitude'];
export type Request = Record<string, string | number>;

/** The API's own rules. A person in a field has them before the first letter. */
const useRules = lazyModule(() => import('#server/core/send-requests.ts'));

/** A request of one kind that is being written: judged by the API's own rules with each letter. */
export function useDraft(kind: MessageType) {
  const files = useSampleFiles();
  const [typed, setTyped] = useState<Partial<Record<FieldName, string>>>({});
  const [touched, setTouched] = useState<readonly FieldName[]>([]);
  const [rules, attend] = useRules();
  const example = exampleOf({ kind, to: EXAMPLE_TO, body: 'Hello from *Wirebird*', files });
  const textOf = (field: FieldName): string => typed[field] ?? String(example[field] ?? '');
  const request = Object.fromEntries(
    FIELDS[kind].flatMap((field) => {
      const value = textOf(field);
      // What is left out stays out; a number that is none is sent as it was typed, and refused.
      if (value === '') return [];
      const numeric = NUMERIC.includes(field) && value.trim() !== '' && !Number.isNaN(Number(value));
      return [[field, numeric ? Number(value) : value]];
    }),
  ) as Request;
  const key = JSON.stringify(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request by what it says
  const problems = useMemo(() => rules?.problemsOf(kind, request) ?? {}, [rules, kind, key]);
  return {
    request,
    textOf,
    problems,
    /** Somebody is about to write. */
    attend,
    /** A problem is shown once somebody has been in the field. */
    problemOf: (field: FieldName) => (touched.includes(field) ? problems[field] : undefined),
    /** An answer from before says nothing about a request with a problem. */
    showsProblem: touched.some((field) => problems[field] !== undefined),
    change: (field: FieldName, value: string) => {
      setTyped((before) => ({ ...before, [field]: value }));
      setTouched((before) => (before.includes(field) ? before : [...before, field]));
    },
    touchAll: () => setTouched([...FIELDS[kind]]),
    valid: Object.keys(problems).length === 0,
  };
}
