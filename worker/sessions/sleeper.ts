/** Sleeps for a time or until it is woken. A wake-up since `beginLooking` ends the next sleep at once. */
export class Sleeper {
  #woken = false;
  #rouse: () => void = () => {};

  wake(): void {
    this.#woken = true;
    this.#rouse();
  }

  beginLooking(): void {
    this.#woken = false;
  }

  sleep(ms: number): Promise<void> {
    if (this.#woken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(() => this.#rouse(), ms) : undefined;
      this.#rouse = () => {
        clearTimeout(timer);
        this.#rouse = () => {};
        resolve();
      };
    });
  }
}
