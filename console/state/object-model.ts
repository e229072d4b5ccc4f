import { signal } from '@preact/signals';
import { errorOf, getWarned, Refused, RETRY_MS, Unreachable } from '../api/http.ts';
import { jsonOf, textAt, type Json } from '../api/json.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import { follow, refOf } from './live.ts';

/** One object, live. */
export class ObjectModel {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** As it is now; as it was last, once it is gone. */
  readonly object = signal<Json | undefined>(undefined);
  readonly isGone = signal(false);
  /** What the server warns of, as that the version is deprecated. */
  readonly warnings = signal<readonly string[]>([]);
  readonly error = signal<Error | undefined>(undefined);
  #leave: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(kind: Kind, namespace: string, name: string) {
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
    void this.read();
  }

  close(): void {
    this.#isClosed = true;
    this.#leave?.();
    clearTimeout(this.#retry);
  }

  /** Reads the object and follows it from there. */
  async read(): Promise<void> {
    this.#leave?.();
    clearTimeout(this.#retry);
    try {
      const path = pathOf(this.kind, this.namespace, this.name);
      const { value: object, warnings } = await getWarned(path);
      if (this.#isClosed) return;
      this.object.value = object;
      this.warnings.value = warnings;
      this.isGone.value = false;
      this.error.value = undefined;
      this.#follow(textAt(object, 'metadata', 'resourceVersion'));
    } catch (error) {
      if (this.#isClosed) return;
      this.error.value = errorOf(error);
      if (error instanceof Unreachable) this.#retry = setTimeout(() => void this.read(), RETRY_MS);
    }
  }

  #follow(resourceVersion: string): void {
    const { kind, namespace, name } = this;
    if (!kind.verbs.has('watch')) return;
    const request = {
      ref: refOf(kind, namespace),
      ...{ fieldSelector: `metadata.name=${name}`, from: resourceVersion },
    };
    this.#leave?.();
    this.#leave = follow(request, (event) => {
      // Without the right to watch, the page shows the object as it was read.
      if (event.type === 'EXPIRED') void this.read();
      if (!('object' in event)) return;
      this.object.value = jsonOf(event.object);
      this.isGone.value = event.type === 'DELETED';
    });
  }

  /** Whether the server has refused to show it. */
  get isRefused(): boolean {
    return this.error.value instanceof Refused;
  }
}
