/**
 * Shows another address of the same page, without the server. Back returns to the one before, unless `typing`: then each
 * letter would be a step back.
 */
export function changeAddress(address: string, typing: boolean): void {
  history[typing ? 'replaceState' : 'pushState'](null, '', address);
}
