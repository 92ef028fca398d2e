export const chat = {
  message: 'Message',
  save: 'Save contact',
  image: 'Picture',
  file: 'File',
  sound: 'Sound',
  play: 'Play',
  pause: 'Pause',
} as const;
