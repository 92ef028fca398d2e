export const chat = {
  message: 'Message',
  acks: { 0: 'Waiting', 1: 'Sent', 2: 'Delivered', 3: 'Read', failed: 'Not sent', unknown: 'Not confirmed' },
  save: 'Save contact',
  image: 'Image',
  file: 'File',
  sound: 'Audio',
  play: 'Play',
  pause: 'Pause',
} as const;
