/** A headless shell lacks `window.chrome`. */
export function addChrome(): void {
  const site = window as { chrome?: object };
  site.chrome ??= { app: { isInstalled: false }, csi: () => ({}), loadTimes: () => ({}) };
}
