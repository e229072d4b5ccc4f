import type { Store } from '../storage/interface.ts';
import { FlagError } from '../config/command-line.ts';

/** The store has so long to close before the process ends without it. */
const CLOSE_TIMEOUT_MS = 5_000;

type Closable = Pick<Store, 'close'>;

/** What ends the process; tests replace it. */
interface ProcessPort {
  readonly exit: (code: number) => void;
  readonly kill: () => void;
  readonly writeError: (text: string) => void;
}

const PROCESS: ProcessPort = {
  exit: (code) => process.exit(code),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  writeError: (text) => void process.stderr.write(text),
};

/**
 * Ends the process in order, at any moment of its life. The embedded store may
 * have a transaction open, and `process.exit` would wait for it forever: the
 * store closes first. A store that does not close in time is left as a crash
 * would leave it, which loses nothing that was answered.
 */
export class ProcessExit {
  readonly #port: ProcessPort;
  readonly #timeoutMs: number;
  #store: Promise<Closable> | undefined;
  #begun = false;

  constructor(port: ProcessPort = PROCESS, timeoutMs = CLOSE_TIMEOUT_MS) {
    this.#port = port;
    this.#timeoutMs = timeoutMs;
  }

  /** The store that closes first, from the moment in which it begins to open. */
  holds(store: Promise<Closable>): void {
    this.#store = store;
  }

  /** Says why in one line on standard error; exit code 1, or the flag's. */
  async fail(error: unknown): Promise<void> {
    const isFlagError = error instanceof FlagError;
    const message = error instanceof Error ? error.message : String(error);
    const isHelp = isFlagError && error.exitCode === 0;
    if (!isHelp) this.#tell(message.split('\n')[0] ?? '');
    await this.end(isFlagError ? error.exitCode : 1);
  }

  /** A broken invariant: shows where, and ends with exit code 1. */
  async crash(error: Error): Promise<void> {
    this.#tell(`internal error: ${error.stack ?? error.message}`);
    await this.end(1);
  }

  /** Closes the store and ends the process. Only the first call counts. */
  async end(code: number): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    const timer = setTimeout(() => {
      this.#port.writeError('plinth: the store did not close in time\n');
      this.#port.kill();
    }, this.#timeoutMs);
    try {
      await (await this.#store)?.close();
    } catch {
      // A store that did not open has nothing to close, and why is told already.
    }
    clearTimeout(timer);
    this.#port.exit(code);
  }

  /** Failures after the end has begun are its consequences. */
  #tell(text: string): void {
    if (!this.#begun) this.#port.writeError(`plinth: ${text}\n`);
  }
}
