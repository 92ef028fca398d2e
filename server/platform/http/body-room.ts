/** The bytes that each body may always use, and those that all bodies together may use beyond that. */
const FREE_BYTES = 32 * 1024;
const SHARED_BYTES_MAX = 64 * 1024 * 1024;
/** What Node keeps for each piece of a body besides its bytes. A body may come in pieces of one byte. */
const PIECE_BYTES = 512;

/** What one body uses of a room. */
export interface BodyShare {
  /** Notes a piece of the body. False if there is no room for it. */
  take(piece: Uint8Array): boolean;
  give(): void;
}

/** The memory for bodies that arrive at the same time. Returns the share of a new one. */
export function createBodyRoom(): () => BodyShare {
  let used = 0;
  return () => {
    let own = 0;
    const beyondFree = () => Math.max(0, own - FREE_BYTES);
    return {
      take(piece) {
        used -= beyondFree();
        own += piece.length + PIECE_BYTES;
        used += beyondFree();
        return beyondFree() === 0 || used <= SHARED_BYTES_MAX;
      },
      give() {
        used -= beyondFree();
        own = 0;
      },
    };
  };
}
