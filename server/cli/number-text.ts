import { PERSON } from '#server/core/recipient.ts';

/** A number as the operator knows it: its label and its phone number. */
export const numberText = ({ label, phoneNumber }: { label: string; phoneNumber: string | null }): string =>
  [label, phoneNumber && `+${phoneNumber}`].filter(Boolean).join(', ') || 'Unnamed number';

/** A recipient in a line: `+4915550400001`, or a group's ID. */
export const toText = (to: string): string => (PERSON.test(to) ? `+${to}` : to);
