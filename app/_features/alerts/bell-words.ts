/** Of the bell, which every page has. */
export const bell = {
  title: 'Alerts',
  label: (unread: number) => (unread === 0 ? 'Alerts' : `Alerts, ${unread} unread`),
} as const;
