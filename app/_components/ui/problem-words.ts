export const problems = {
  missing: {
    title: 'Page not found',
    text: 'The address may be mistyped, or the page was removed.',
    do: 'Go to the overview',
  },
  failed: {
    title: 'This page could not be shown',
    text: 'Something went wrong on our side. Messages are still being sent.',
    do: 'Try again',
    code: (code: string) => `Quote ${code} when you contact the administrator.`,
  },
} as const;
