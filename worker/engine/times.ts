/** How long the adapter waits for what, in ms. Only tests lower them. */
export interface EngineTimes {
  /** From launching the browser to a page that shows a QR or has its session back. */
  startMs: number;
  /** Until the page's scripts are there; within `startMs`. */
  scriptsMs: number;
  /** Pause between two looks at a page that is not ready. */
  watchMs: number;
  /** A page that has synced but whose library has not said so for this long is helped along. */
  readyHelpMs: number;
  /** Linked, but no progress for this long: the page is given up. */
  syncStallMs: number;
  /** A page that does not answer a look for this long is given up. */
  deafMs: number;
  /** The next QR may come this much late before the page is told to make one. */
  qrGraceMs: number;
  /** A call that neither sends nor probes. */
  callMs: number;
  /** The answer of {@link EngineSession.probe}. */
  probeMs: number;
  /** Handing over a message without and with a file (the upload is within). */
  sendMs: number;
  sendMediaMs: number;
  /** Looking for one message in the page's own list. */
  reconcileMs: number;
  /** Between two looks for the page's modules, before its first socket. */
  tapMs: number;
  /** A page whose login is refused tries again by itself for this long. */
  refusedMs: number;
  /** After a service that was unavailable for {@link refusedMs}: the shortest pause before the next start. */
  unavailableMs: number;
  /** A page that logs out is given up after this. */
  logoutMs: number;
  /** For a stored session to come up and be logged out. */
  unlinkMs: number;
  /**
   * A browser that was asked to close gets this long before it is killed. A clean close writes everything
   * down; without one, what a page has just put into localStorage reaches the disk only after about 5 s.
   */
  closeMs: number;
}

export const ENGINE_TIMES: Readonly<EngineTimes> = {
  startMs: 90_000,
  scriptsMs: 60_000,
  watchMs: 500,
  readyHelpMs: 10_000,
  syncStallMs: 120_000,
  deafMs: 15_000,
  qrGraceMs: 5_000,
  callMs: 15_000,
  probeMs: 2_500,
  sendMs: 30_000,
  sendMediaMs: 60_000,
  reconcileMs: 30_000,
  tapMs: 20,
  refusedMs: 600_000,
  unavailableMs: 600_000,
  logoutMs: 30_000,
  unlinkMs: 30_000,
  closeMs: 10_000,
};
