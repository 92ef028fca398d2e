/** Limits of the interface, in Unicode code points and bytes. */
export const LIMITS = {
  bodyChars: 8000,
  captionChars: 8000,
  filenameChars: 255,
  placeChars: 1000,
  contactNameChars: 255,
  urlChars: 2048,
  mediaBytesMax: 16 * 1024 * 1024,
  requestBytesMax: 256 * 1024,
} as const;
