export const chat = {
  message: 'Message',
  acks: { 0: 'Waiting', 1: 'Sent', 2: 'Delivered', 3: 'Read', failed: 'Not sent', unknown: 'Not confirmed' },
  save: 'Save contact',
  image: 'Picture',
  file: 'File',
  sound: 'Sound',
  play: 'Play',
  pause: 'Pause',
} as const;
