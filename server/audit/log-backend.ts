import type { AuditBackend } from './backend.ts';

/** Events that wait for the disk; more are lost (and counted). */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

export interface LogBackendOptions {
  readonly append: (text: string) => Promise<void>;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** Writes events one to a line. What comes while the disk is busy goes with the next write. */
export class LogBackend implements AuditBackend {
  readonly #options: LogBackendOptions;
  #queued = '';
  #writing: Promise<void> | undefined;

  constructor(options: LogBackendOptions) {
    this.#options = options;
  }

  write(event: string): boolean {
    if (this.#queued.length + event.length > MAX_QUEUED_BYTES) return false;
    this.#queued += `${event}\n`;
    this.#writing ??= this.#run();
    return true;
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  async #run(): Promise<void> {
    // Events of this turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queued !== '') {
      const text = this.#queued;
      this.#queued = '';
      try {
        await this.#options.append(text);
      } catch (error) {
        this.#options.onProblem('audit events could not be written', error);
      }
    }
    this.#writing = undefined;
  }
}
