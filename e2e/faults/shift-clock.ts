/**
 * Preloaded into a process (`--import`) whose wall clock is to be moved: the parent sends
 * `{ shiftClockMs: n }`, and from then on every `Date` in the process, the libraries' included, is off by it.
 */
const RealDate = Date;
let byMs = 0;

class ShiftedDate extends RealDate {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(RealDate.now() + byMs);
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + byMs;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;

process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'shiftClockMs' in message)
    byMs = Number(message.shiftClockMs);
});
process.channel?.unref();
