/** How long the adapter waits for what, in ms. Only tests lower them. */
export interface EngineTimes {
  /** From launching the browser to a page that shows a QR or has its session back. */
  startMs: number;
  /** Until the page's scripts are there; within `startMs`. */
  scriptsMs: number;
  /** Whether to stay with a page's build; without an answer it does. */
  verdictMs: number;
  /** Pause between two looks at a page that is not ready. */
  watchMs: number;
  /** A page that has synced but whose library has not said so for this long is helped along. */
  readyHelpMs: number;
  /** Linked, but no progress for this long: the page is given up. */
  syncStallMs: number;
  /** A page that does not answer a look for this long is given up. */
  deafMs: number;
  /** The next QR may be this late before the page is asked for one. */
  qrGraceMs: number;
  /** A call that neither sends nor probes. */
  callMs: number;
  /** What the page fetches of a group before a first message to it. */
  groupMs: number;
  /** The answer of {@link EngineSession.probe}. */
  probeMs: number;
  /** The answer to a ping of the server, once the page is ready. */
  pingMs: number;
  /** The same within the self-test. */
  firstPingMs: number;
  /** Pause between two looks at the line, while it is up and while it is down. The page reports changes itself. */
  lineMs: number;
  lineDownMs: number;
  /** A stream that the server ends in passing is back within this time, and nothing is said of it. */
  inPassingMs: number;
  /** The page mends its line itself: it is given up after this long under a silent server. */
  silentMs: number;
  /** The same without a line. */
  cutMs: number;
  /** For this long both do not count while WhatsApp's site does not answer at all. */
  awayMs: number;
  /** The site's answer to a page whose line is down, and between two such questions of all pages together. */
  siteMs: number;
  siteAskMs: number;
  siteAskMsMax: number;
  /** A wipe that has not come to its end by then never will. */
  wipedMs: number;
  /** A page that has stopped its line for good for this long has been replaced by another one. */
  stoppedMs: number;
  /** Handing over a message without and with a file (the upload is within). */
  sendMs: number;
  sendMediaMs: number;
  /** Between two canaries. */
  canaryMs: number;
  /** Looking for one message in the page's own list. */
  reconcileMs: number;
  /** Between two looks for the page's modules, before its first socket. */
  tapMs: number;
  /** A page whose login is refused tries again without a restart for this long. */
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
  verdictMs: 5_000,
  watchMs: 500,
  readyHelpMs: 10_000,
  syncStallMs: 120_000,
  deafMs: 15_000,
  qrGraceMs: 5_000,
  callMs: 15_000,
  groupMs: 5_000,
  probeMs: 2_500,
  pingMs: 2_500,
  firstPingMs: 5_000,
  lineMs: 6_000,
  lineDownMs: 1_000,
  inPassingMs: 5_000,
  silentMs: 45_000,
  cutMs: 180_000,
  awayMs: 1_800_000,
  siteMs: 5_000,
  siteAskMs: 15_000,
  siteAskMsMax: 60_000,
  wipedMs: 30_000,
  stoppedMs: 10_000,
  sendMs: 30_000,
  sendMediaMs: 60_000,
  canaryMs: 3_600_000,
  reconcileMs: 30_000,
  tapMs: 20,
  refusedMs: 600_000,
  unavailableMs: 600_000,
  logoutMs: 30_000,
  unlinkMs: 30_000,
  closeMs: 10_000,
};
