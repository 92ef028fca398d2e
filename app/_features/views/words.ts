export const views = {
  title: 'Views',
} as const;

export const panel = {
  none: 'Choose filters, then save them here under a name.',
  save: 'Save these filters as',
  submit: 'Save',
  here: 'All members of this account see it.',
  remove: (name: string) => `Delete the view ${name}`,
  full: (most: number) => `There are ${most} views. Delete one first.`,
} as const;
