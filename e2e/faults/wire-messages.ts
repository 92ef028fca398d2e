/** Cuts a stream of PostgreSQL's protocol into whole messages. */
export class MessageSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #greeting: boolean;

  /** `greeting`: the first message has no type, as a client's has. */
  constructor({ greeting }: { greeting: boolean }) {
    this.#greeting = greeting;
  }

  push(bytes: Buffer): Buffer[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const messages: Buffer[] = [];
    for (;;) {
      const head = this.#greeting ? 0 : 1;
      if (this.#rest.length < head + 4) return messages;
      const length = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < length) return messages;
      messages.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
      this.#greeting = false;
    }
  }
}
