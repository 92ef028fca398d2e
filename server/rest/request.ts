/**
 * A request as the API reads it, whatever server it came through. Only what is used: the handler stands in
 * front of every call, so nothing is copied or parsed that no step asks for.
 */
export interface RestRequest {
  method: string;
  /** The target exactly as on the request line. */
  target: string;
  /** Every value of each header, by lower-case name. */
  headers: Readonly<Partial<Record<string, string[]>>>;
  /** The peer's address; null where the server does not tell it. */
  peerAddress: string | null;
  /** The connection itself is TLS. */
  encrypted: boolean;
  /**
   * The body's bytes, read once. Throws `body_too_large` beyond `bytesMax` (counted as read, whatever was
   * announced) and `invalid_parameters` when they do not all arrive within `withinMs`.
   */
  read(bytesMax: number, withinMs: number): Promise<Uint8Array>;
  /** Aborts when the caller hangs up before the answer is written. */
  signal(): AbortSignal;
}

export interface RestAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string | Uint8Array;
  /** Called once: was the answer written to the caller, or had they left? */
  written?: ((written: boolean) => void) | undefined;
}

/** A header that may be given once, its values joined as HTTP joins them; undefined when absent or empty. */
export function headerOf(request: Pick<RestRequest, 'headers'>, name: string): string | undefined {
  return request.headers[name]?.join(', ') || undefined;
}
