/** Wakes one waiter. If nobody waits when it rings, the next waiter continues at once. */
export class Bell {
  #next = Promise.withResolvers<true>();
  #rung = false;

  /** Whether it was rung since it was last reset. */
  get rung(): boolean {
    return this.#rung;
  }

  ring(): void {
    this.#rung = true;
    this.#next.resolve(true);
  }

  reset(): void {
    if (!this.#rung) return;
    this.#rung = false;
    this.#next = Promise.withResolvers();
  }

  /** Resolves to true when it rings, or to false after `ms`. */
  async heard(ms: number): Promise<boolean> {
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(late.resolve, ms, false);
    const heard = await Promise.race([this.#next.promise, late.promise]);
    clearTimeout(timer);
    return heard;
  }
}
