/** Limits of the interface, in Unicode code points and bytes. */
export const LIMITS = {
  bodyChars: 8000,
  captionChars: 8000,
  filenameChars: 255,
  placeChars: 1000,
  contactNameChars: 255,
  /** Of a file's address as it is sent, with its special characters encoded. Presigned links are long. */
  mediaUrlBytes: 8192,
  endpointUrlChars: 2048,
  mediaBytesMax: 16 * 1024 * 1024,
  requestBytesMax: 256 * 1024,
  /** Of a number, with those for all numbers of its account. */
  webhookEndpoints: 10,
} as const;

/** How many sends pass at once after a pause, if an account may send this many a minute. */
export const sendsAtOnce = (perMinute: number) => Math.max(1, Math.floor((perMinute * 5) / 3));
