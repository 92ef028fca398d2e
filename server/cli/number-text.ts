/** A number as the operator knows it: its label and its phone number. */
export const numberText = ({ label, phoneNumber }: { label: string; phoneNumber: string | null }): string =>
  [label, phoneNumber && `+${phoneNumber}`].filter(Boolean).join(', ') || 'Unnamed number';
