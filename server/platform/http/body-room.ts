/** The bytes that each body may always use, and those that all bodies together may use beyond that. */
const FREE_BYTES = 32 * 1024;
const SHARED_BYTES_MAX = 64 * 1024 * 1024;
/** So that one address does not take what all others need. */
const OF_ADDRESS_BYTES_MAX = SHARED_BYTES_MAX / 4;
/** What Node keeps for each piece of a body besides its bytes. A body may come in pieces of one byte. */
const PIECE_BYTES = 512;

/** What one body uses of a room. */
export interface BodyShare {
  /** Notes a piece of the body. False if there is no room for it. */
  take(piece: Uint8Array): boolean;
  give(): void;
}

/** The memory for bodies that arrive at the same time. Returns the share of a new one of an address. */
export function createBodyRoom(): (address: string) => BodyShare {
  let used = 0;
  const usedBy = new Map<string, number>();
  return (address) => {
    let own = 0;
    const beyondFree = () => Math.max(0, own - FREE_BYTES);
    const change = (bytes: number) => {
      const before = beyondFree();
      own += bytes;
      const more = beyondFree() - before;
      const ofAddress = (usedBy.get(address) ?? 0) + more;
      used += more;
      if (ofAddress > 0) usedBy.set(address, ofAddress);
      else usedBy.delete(address);
      return ofAddress;
    };
    return {
      take(piece) {
        const ofAddress = change(piece.length + PIECE_BYTES);
        return beyondFree() === 0 || (used <= SHARED_BYTES_MAX && ofAddress <= OF_ADDRESS_BYTES_MAX);
      },
      give() {
        change(-own);
      },
    };
  };
}
