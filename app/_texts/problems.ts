export const problems = {
  missing: {
    title: 'There is nothing here',
    text: 'The address leads nowhere: it may be mistyped, or what was here is gone.',
    do: 'To the start page',
  },
  failed: {
    title: 'This page could not be shown',
    text: 'Something went wrong on our side. Messages are sent all the same.',
    do: 'Try again',
    code: (code: string) => `Quote ${code} when you write to the administrator.`,
  },
} as const;
