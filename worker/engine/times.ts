/** The adapter's time limits and intervals, in ms. Only tests lower them. */
export const ENGINE_TIMES = {
  /**
   * From launching the browser to a page that shows a QR or has restored its session: the time without progress, such as a
   * response or a loaded document, and the time in all. A slow host takes minutes, and a second start is no faster.
   */
  startMs: 90_000,
  startMsMax: 300_000,
  /** Until the page's scripts are loaded; part of `startMsMax`. */
  scriptsMs: 240_000,
  /** For the verdict on a page's build; without one the session keeps it. */
  verdictMs: 5_000,
  /** Between two checks of a page that is not ready. */
  watchMs: 500,
  /** If the library has not reported a finished sync after this time, its event is repeated. */
  readyHelpMs: 10_000,
  /** A linked page without progress for this long is given up. */
  syncStallMs: 120_000,
  /** For the end of offline delivery after the sync; a page without it sends nothing. Part of `syncStallMs`. */
  offlineDeliveryMs: 60_000,
  /** A page that does not answer for this long is given up. */
  unresponsiveMs: 15_000,
  /** If the next QR is later than this, the page is asked for one. */
  qrGraceMs: 5_000,
  /** From a new QR until the page has certainly drawn it. */
  qrDrawMs: 2_000,
  /** For a call that neither sends nor probes. */
  callMs: 15_000,
  /** For fetching a group's data before the first message to it. */
  groupMs: 5_000,
  /** For all attempts to fetch a group's members before a message to it. */
  membersMs: 20_000,
  /** For the answer of {@link EngineSession.probe}. */
  probeMs: 2_500,
  /** For the server's answer to a ping, once the page is ready. */
  pingMs: 2_500,
  /** The same in the self-test. */
  firstPingMs: 5_000,
  /** Between two checks of the connection, while connected and while disconnected. The page also reports changes. */
  connectionMs: 6_000,
  reconnectingMs: 1_000,
  /** The server answers a login within this time. */
  loginMs: 5_000,
  /** An interruption in normal operation is over within this time, and is not reported. */
  briefMs: 5_000,
  /** The page reconnects automatically. It is given up after this long if the server does not answer. */
  silentMs: 45_000,
  /** The same for a disconnected page. */
  cutMs: 180_000,
  /** While WhatsApp's site does not answer at all, neither of the two limits counts, up to this long. */
  unreachableMs: 1_800_000,
  /** For the site's answer to a disconnected page, and between two such requests of all pages together. */
  siteMs: 5_000,
  siteAskMs: 15_000,
  siteAskMsMax: 60_000,
  /** After this a page that deletes its data is given up. */
  wipedMs: 30_000,
  /** A page whose connection is stopped permanently for this long was replaced by another page. */
  replacedMs: 10_000,
  /** For the dispatch of a message without and with a file, including the upload. */
  sendMs: 30_000,
  sendMediaMs: 60_000,
  /** Between two canaries. */
  canaryMs: 3_600_000,
  /** For finding one message in the page. */
  reconcileMs: 30_000,
  /** Between two polls for the page's modules, before its first socket. */
  tapMs: 20,
  /** Between two polls for the modules of linking, which the page loads when it needs them. */
  passkeyPollMs: 250,
  /** A page whose login is refused may retry without a restart for this long. */
  refusedMs: 600_000,
  /** After {@link refusedMs} of an unavailable service: the shortest delay before the next start. */
  unavailableMs: 600_000,
  /** A page that is logging out is given up after this. */
  logoutMs: 30_000,
  /** For restoring a stored session and logging it out. */
  unlinkMs: 30_000,
  /**
   * A browser that does not close within this time is killed. Only a clean close writes localStorage to disk at once;
   * otherwise that takes about 5 s.
   */
  closeMs: 10_000,
};
export type EngineTimes = typeof ENGINE_TIMES;
