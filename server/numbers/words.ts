/** Sentences that several use cases of numbers say. What one of them alone says is beside its rule. */
export const WORDS = {
  sandboxOff: 'The sandbox is switched off in this installation (SANDBOX=on switches it on).',
  suspended: 'This number is suspended. Contact the administrator to resume it.',
} as const;
