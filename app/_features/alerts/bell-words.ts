/** Texts of the bell, which every page has. */
export const bell = {
  title: 'Alerts',
  label: (unread: number, underWay: number) =>
    [
      'Alerts',
      ...(unread > 0 ? [`${unread} unread`] : []),
      ...(underWay > 0 ? [`${underWay} ongoing`] : []),
    ].join(', '),
} as const;
