import { Worker } from 'node:worker_threads';
import { parseLargeJson } from '../api/json-parse.ts';
import { parseYaml, type ParsedYaml } from './parse.ts';
import { YamlSyntaxError } from './source.ts';
import type { YamlAnswer, YamlForm, YamlQuestion } from './worker-messages.ts';

/** Texts of no more characters are read at once: a few milliseconds, whatever they hold. */
const MAX_YAML_AT_ONCE = 16 * 1024;
/** A thread cannot be started from TypeScript: unit tests read everything at once. */
const IS_BUILT = import.meta.url.endsWith('.js');
/** Memory of the thread: many times what the largest body needs. */
const MAX_HEAP_MB = 512;

/**
 * Reads what clients send as {@link parseYaml} does. A large text is turned
 * into JSON by a thread of its own, so that the event loop goes on meanwhile.
 *
 * @throws YamlSyntaxError (as rejection)
 */
export async function parseLargeYaml(text: string): Promise<ParsedYaml> {
  if (text.length <= MAX_YAML_AT_ONCE || !IS_BUILT) return parseYaml(text);
  const answer = await thread.ask({ text });
  if ('refused' in answer) throw new YamlSyntaxError(answer.refused);
  if ('yaml' in answer) throw new Error('the YAML thread answers another question');
  const { value } = await parseLargeJson(answer.json);
  return { value, duplicates: answer.duplicates };
}

/** Objects of no more bytes are written as YAML at once. */
const MAX_WRITTEN_AT_ONCE = 32 * 1024;

/** Whether {@link yamlOfLarge} is for so many bytes of JSON. */
export function isLargeForYaml(bytes: number): boolean {
  return bytes > MAX_WRITTEN_AT_ONCE && IS_BUILT;
}

/** Writes the JSON that this server made of a large object as YAML, in the thread. */
export async function yamlOfLarge(json: Buffer, form: YamlForm): Promise<string> {
  const answer = await thread.ask({ json, form });
  if (!('yaml' in answer)) throw new Error('the YAML thread answers another question');
  return answer.yaml;
}

interface Waiting {
  readonly resolve: (answer: YamlAnswer) => void;
  readonly reject: (error: Error) => void;
}

type YamlWork = { text: string } | { json: Buffer; form: YamlForm };

/** The thread of this process. It is started when it is first needed, and keeps no process alive. */
class YamlThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #asked = 0;

  ask(work: YamlWork): Promise<YamlAnswer> {
    const id = ++this.#asked;
    const question: YamlQuestion = { id, ...work };
    return new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#start());
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage(question);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('message', (answer: YamlAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) worker.unref();
      waiting?.resolve(answer);
    });
    worker.on('error', (error) => this.#failed(worker, error));
    worker.on('exit', () => this.#failed(worker, new Error('the YAML thread has ended')));
    return worker;
  }

  /** What waits fails; the next text starts another thread. */
  #failed(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

const thread = new YamlThread();
