/** Where frames go. After `write` answers false nothing more is written until `resume()`. */
export interface FrameSink {
  /** `lengths`: of the events that the frame consists of, in bytes; absent: it is one. */
  write(frame: Buffer, lengths?: readonly number[]): boolean;
  /** The stream is over; everything written before must still arrive. */
  end(): void;
}
