/** The adapter's time limits and intervals, in ms. Only tests lower them. */
export interface EngineTimes {
  /** From launching the browser to a page that shows a QR or has restored its session. */
  startMs: number;
  /** Until the page's scripts are loaded; part of `startMs`. */
  scriptsMs: number;
  /** For the verdict on a page's build; without one the session keeps it. */
  verdictMs: number;
  /** Between two checks of a page that is not ready. */
  watchMs: number;
  /** If the library has not reported a finished sync after this time, its event is repeated. */
  readyHelpMs: number;
  /** A linked page without progress for this long is given up. */
  syncStallMs: number;
  /** A page that does not answer for this long is given up. */
  unresponsiveMs: number;
  /** If the next QR is later than this, the page is asked for one. */
  qrGraceMs: number;
  /** For a call that neither sends nor probes. */
  callMs: number;
  /** For fetching a group's data before the first message to it. */
  groupMs: number;
  /** For the answer of {@link EngineSession.probe}. */
  probeMs: number;
  /** For the server's answer to a ping, once the page is ready. */
  pingMs: number;
  /** The same in the self-test. */
  firstPingMs: number;
  /** Between two checks of the connection, while connected and while disconnected. The page also reports changes. */
  connectionMs: number;
  reconnectingMs: number;
  /** An interruption in normal operation is over within this time, and is not reported. */
  briefMs: number;
  /** The page reconnects automatically. It is given up after this long if the server does not answer. */
  silentMs: number;
  /** The same for a disconnected page. */
  cutMs: number;
  /** While WhatsApp's site does not answer at all, neither of the two limits counts, up to this long. */
  unreachableMs: number;
  /** For the site's answer to a disconnected page, and between two such requests of all pages together. */
  siteMs: number;
  siteAskMs: number;
  siteAskMsMax: number;
  /** After this a page that deletes its data is given up. */
  wipedMs: number;
  /** A page whose connection is stopped permanently for this long was replaced by another page. */
  replacedMs: number;
  /** For the dispatch of a message without and with a file, including the upload. */
  sendMs: number;
  sendMediaMs: number;
  /** Between two canaries. */
  canaryMs: number;
  /** For finding one message in the page. */
  reconcileMs: number;
  /** Between two polls for the page's modules, before its first socket. */
  tapMs: number;
  /** A page whose login is refused may retry without a restart for this long. */
  refusedMs: number;
  /** After {@link refusedMs} of an unavailable service: the shortest delay before the next start. */
  unavailableMs: number;
  /** A page that is logging out is given up after this. */
  logoutMs: number;
  /** For restoring a stored session and logging it out. */
  unlinkMs: number;
  /**
   * A browser that does not close within this time is killed. Only a clean close writes localStorage to disk at once;
   * otherwise that takes about 5 s.
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
  unresponsiveMs: 15_000,
  qrGraceMs: 5_000,
  callMs: 15_000,
  groupMs: 5_000,
  probeMs: 2_500,
  pingMs: 2_500,
  firstPingMs: 5_000,
  connectionMs: 6_000,
  reconnectingMs: 1_000,
  briefMs: 5_000,
  silentMs: 45_000,
  cutMs: 180_000,
  unreachableMs: 1_800_000,
  siteMs: 5_000,
  siteAskMs: 15_000,
  siteAskMsMax: 60_000,
  wipedMs: 30_000,
  replacedMs: 10_000,
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
