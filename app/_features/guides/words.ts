export const guides = {
  copy: 'Copy the code',
  table: 'Table',
  languages: { js: 'Node', python: 'Python', php: 'PHP', json: 'JSON', sh: 'Shell' } as Record<
    string,
    string
  >,
  previous: 'Previous',
  next: 'Next',
  pages: 'Other guides',
} as const;
