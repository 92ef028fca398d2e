import { useMemo, useState } from 'react';
import { useSampleFiles } from '#app/_features/keys/use-samples.ts';
import { exampleRequest } from '#server/core/examples.ts';
import { KINDS } from '#server/core/kinds/index.ts';
import type { MessageType } from '#server/core/message.ts';

type FieldsOf<T extends MessageType> = T extends MessageType ? keyof (typeof KINDS)[T]['fields'] : never;
export type FieldName = 'to' | FieldsOf<MessageType>;

/** The fields of a kind, in the order in which they are asked. */
export const fieldsOf = (kind: MessageType) => ['to', ...Object.keys(KINDS[kind].fields)] as FieldName[];

const NUMERIC: readonly FieldName[] = ['latitude', 'longitude'];
export type Request = Record<string, string | number>;

/** A request of one kind in progress, validated by the API's own rules at each change. */
export function useDraft(kind: MessageType) {
  const files = useSampleFiles();
  const [typed, setTyped] = useState<Partial<Record<FieldName, string>>>({});
  const [touched, setTouched] = useState<readonly FieldName[]>([]);
  const [rules, setRules] = useState<typeof import('#server/core/send-requests.ts')>();
  // Loaded when a field first gets the focus. After a network failure the next focus requests them again.
  const attend = () => void import('#server/core/send-requests.ts').then(setRules, () => undefined);
  const example: Partial<Record<FieldName, string | number>> = exampleRequest(kind, files);
  const textOf = (field: FieldName): string => typed[field] ?? String(example[field] ?? '');
  const request = Object.fromEntries(
    fieldsOf(kind).flatMap((field) => {
      const value = textOf(field);
      // Empty fields are left out; an invalid number is sent as typed, and refused.
      if (value === '') return [];
      const numeric = NUMERIC.includes(field) && value.trim() !== '' && !Number.isNaN(Number(value));
      return [[field, numeric ? Number(value) : value]];
    }),
  ) as Request;
  const key = JSON.stringify(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request by its content
  const problems = useMemo(() => rules?.problemsOf(kind, request) ?? {}, [rules, kind, key]);
  return {
    request,
    textOf,
    problems,
    /** A field got the focus. */
    attend,
    /** A problem shows once the user has visited the field. */
    problemOf: (field: FieldName) => (touched.includes(field) ? problems[field] : undefined),
    /** An earlier answer does not apply to a request with a problem. */
    showsProblem: touched.some((field) => problems[field] !== undefined),
    change: (field: FieldName, value: string) => {
      setTyped((before) => ({ ...before, [field]: value }));
      setTouched((before) => (before.includes(field) ? before : [...before, field]));
    },
    touchAll: () => setTouched(fieldsOf(kind)),
    valid: Object.keys(problems).length === 0,
  };
}
