/** Where frames go. After `write` answers false nothing more is written until `resume()`. */
export interface FrameSink {
  write(frame: Buffer): boolean;
  /** The stream is over; everything written before must still arrive. */
  end(): void;
}
