/** Of the panel, which loads when it opens. */
export const panel = {
  none: 'Choose filters, then save them here under a name.',
  save: 'Save these filters as',
  submit: 'Save',
  here: 'Views are stored in this browser. To share one, send its address.',
  remove: (name: string) => `Delete the view ${name}`,
  full: (most: number) => `You have ${most} views. Delete one first.`,
} as const;
