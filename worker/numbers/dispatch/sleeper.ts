/** Sleeps until a time is over or `wake` is called. A wake-up after `reset` ends the next sleep at once. */
export class Sleeper {
  #woken = false;
  #end: () => void = () => {};

  wake(): void {
    this.#woken = true;
    this.#end();
  }

  reset(): void {
    this.#woken = false;
  }

  sleep(ms: number): Promise<void> {
    if (this.#woken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(() => this.#end(), ms) : undefined;
      this.#end = () => {
        clearTimeout(timer);
        this.#end = () => {};
        resolve();
      };
    });
  }
}
