import type { BodyLimits } from '#server/platform/http/take-in-body.ts';

/**
 * A request as the API reads it, from any server. Its parts are read only when they are needed, because this is on
 * the path of every call.
 */
export interface RestRequest {
  method: string;
  /** The target exactly as on the request line. */
  target: string;
  /** Every value of each header, by lower-case name. */
  headers: Readonly<Partial<Record<string, string[]>>>;
  /** The peer's address; null if it is not known. */
  peerAddress: string | null;
  /** The connection itself is TLS. */
  encrypted: boolean;
  /**
   * The body's bytes, read once. Throws `body_too_large` beyond `bytesMax`, counted as they are read, and
   * `invalid_parameters` if they do not arrive within `withinMs`.
   */
  read(limits: BodyLimits): Promise<Uint8Array>;
  /** Aborts when the caller hangs up before the answer is written. */
  signal(): AbortSignal;
}

export interface RestAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string | Uint8Array;
  /** Called once: was the answer written, or had the caller hung up? */
  written?: ((written: boolean) => void) | undefined;
}

/** A header that may be given once, its values joined as HTTP joins them; undefined when absent or empty. */
export function headerOf(request: Pick<RestRequest, 'headers'>, name: string): string | undefined {
  return request.headers[name]?.join(', ') || undefined;
}
