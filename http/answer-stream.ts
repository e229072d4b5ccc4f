/**
 * Where an answer goes: a ServerResponse of Node's HTTP/1.1 server, or a stream of HTTP/2 behind
 * `http/h2/answer.ts`.
 */
export interface AnswerStream {
  readonly destroyed: boolean;
  /** Before the head: the body comes in pieces, and `destroy` must not look like its end. */
  comesInPieces?(): void;
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  /** Sends the head now, before there is a body. */
  flushHeaders(): void;
  /** False: wait for `drain`. `onSent` is called when the connection has taken the bytes. */
  write(bytes: Buffer, onSent?: (error?: Error | null) => void): boolean;
  end(bytes?: Buffer): unknown;
  destroy(): unknown;
  /** `finish`: the connection has taken all of an answer that has ended. */
  on(event: 'drain' | 'finish' | 'close', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'drain' | 'finish' | 'close', listener: () => void): unknown;
}

/** The request that is answered, as far as sending needs it. */
export interface AnsweredRequest {
  readonly method?: string | undefined;
  /** All of its body has come. */
  readonly complete: boolean;
  /** Reads the rest of the body, and drops it. */
  resume(): unknown;
}
