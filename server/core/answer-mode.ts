/**
 * How the caller wants to be answered. `sync` waits for the outcome. `async` (`Prefer: respond-async`) is answered
 * when accepted; with `sendAt` (`X-Send-At`) it is sent at that time. `wait` (`Prefer: wait=N`) becomes async
 * after N seconds.
 */
export type AnswerMode =
  | { kind: 'sync' }
  | { kind: 'async'; expiresInSeconds: number | null; sendAt?: Date }
  | { kind: 'wait'; waitSeconds: number; expiresInSeconds: number | null };
