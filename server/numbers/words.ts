/** Sentences that several use cases of numbers share. Others are beside their rule. */
export const WORDS = {
  sandboxOff: 'The sandbox is switched off on this server. To use it, the administrator must set SANDBOX=on.',
  suspended: 'This number is suspended. Ask the administrator to resume it.',
} as const;
