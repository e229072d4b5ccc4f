import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Plinth } from './plinth.ts';

/** A function of the server: the file of its source, and its name. */
export interface Place {
  readonly file: string;
  readonly name: string;
}

/** The lines of a loaded script, and which of them come from a file of the source. */
interface Bundled {
  readonly scriptId: string;
  readonly lines: readonly string[];
  readonly isOfFile: readonly boolean[];
}

const textOf = ({ file, name }: Place): string => `${file} ${name}`;

/**
 * Records in which order functions of a running server are called. Breakpoints
 * whose condition is never true note each visit, so the server never stops.
 */
export class CallTrace {
  readonly #socket: WebSocket;
  readonly #scripts = new Map<string, string>();
  readonly #sources = new Map<string, readonly string[]>();
  readonly #answers = new Map<number, (result: any) => void>();
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (text: Buffer) => {
      const { id, result, method, params } = JSON.parse(text.toString());
      if (method === 'Debugger.scriptParsed') this.#scripts.set(params.url, params.scriptId);
      if (id !== undefined) this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    });
  }

  /** `plinth` must have been started with the arguments of `INSPECTABLE`. */
  static async of(plinth: Plinth): Promise<CallTrace> {
    const socket = new WebSocket(/ws:\/\/\S+/.exec(plinth.output)?.[0] ?? '');
    const trace = new CallTrace(socket);
    await once(socket, 'open');
    await trace.#call('Debugger.enable');
    return trace;
  }

  /**
   * Begins to note calls of these functions.
   *
   * @throws Error when a file is not loaded or has no such function
   */
  async watch(places: readonly Place[]): Promise<void> {
    for (const place of places) {
      const { scriptId, lines, isOfFile } = await this.#bundled(place.file);
      // The bundler numbers functions of one name.
      const head = new RegExp(
        `^(?!.*;$).*(?:function\\*? |  (?:static )?(?:async )?\\*?)${place.name}\\d*\\(.*$`,
      );
      const first = lines.findIndex((line, at) => isOfFile[at] === true && head.test(line));
      if (first < 0) throw new Error(`${place.file} has no function ${place.name}`);
      const opened = lines.findIndex((line, at) => at >= first && line.endsWith(') {'));
      const condition = `(globalThis.visits ??= []).push(${JSON.stringify(textOf(place))}), false`;
      const location = { scriptId, lineNumber: opened + 1, columnNumber: 0 };
      await this.#call('Debugger.setBreakpoint', { location, condition });
    }
  }

  /** Where a file of the source stands in what the server has loaded: a comment names each. */
  async #bundled(file: string): Promise<Bundled> {
    for (const [url, scriptId] of this.#scripts) {
      if (!url.includes('/dist/')) continue;
      if (!this.#sources.has(scriptId)) {
        const { scriptSource } = await this.#call('Debugger.getScriptSource', { scriptId });
        this.#sources.set(scriptId, (scriptSource as string).split('\n'));
      }
      const lines = this.#sources.get(scriptId)!;
      let current = '';
      const isOfFile = lines.map((line) => {
        current = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(line)?.[1] ?? current;
        return current === file;
      });
      if (isOfFile.includes(true)) return { scriptId, lines, isOfFile };
    }
    throw new Error(`the server has not loaded ${file}, or was not made by npm run build`);
  }

  /** The functions that have been called since the last question, each once, in order. */
  async visited(): Promise<string[]> {
    const { result } = await this.#call('Runtime.evaluate', {
      expression: 'JSON.stringify((globalThis.visits ??= []).splice(0))',
    });
    return [...new Set(JSON.parse(result.value) as string[])];
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: object = {}): Promise<any> {
    const id = ++this.#calls;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }
}
