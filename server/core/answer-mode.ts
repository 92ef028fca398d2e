/**
 * How the caller wants to be answered, and after how many seconds its message expires if it still waits
 * (`X-Expires-In`; null or absent: the default). `sync` waits for the outcome. `async` (`Prefer: respond-async`) is answered
 * when accepted; with `sendAt` (`X-Send-At`) it is sent at that time. `wait` (`Prefer: wait=N`) becomes async
 * after N seconds.
 */
export type AnswerMode =
  | { kind: 'sync'; expiresInSeconds?: number | null }
  | { kind: 'async'; expiresInSeconds: number | null; sendAt?: Date }
  | { kind: 'wait'; waitSeconds: number; expiresInSeconds: number | null };
