/**
 * What the adapter does inside WhatsApp's page about its login and its end. Each function is sent there as text, so
 * it may use nothing but its arguments and the page's globals.
 */

interface Modules {
  WAWebUnpairDeviceJob: { unpairDevice(reason: string): Promise<{ status?: number }> };
}
interface LoginPage {
  require<K extends keyof Modules>(name: K): Modules[K];
}

/** Has WhatsApp's server remove this device. Throws unless it answers that it did. */
export async function unpair(): Promise<void> {
  const { unpairDevice } = (window as unknown as LoginPage).require('WAWebUnpairDeviceJob');
  const { status } = await unpairDevice('user_initiated');
  if (status !== 200) throw new Error(`the server answered ${status}`);
}
