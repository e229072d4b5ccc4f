import { andThen } from '../api/and-then.ts';
import type { ApiObject } from '../api/object.ts';
import { isLarge } from '../api/json-write-steps.ts';
import { inParallel } from '../api/in-parallel.ts';
import { inTurns } from '../api/steps.ts';
import { nextTurn } from '../api/turn.ts';
import type { VersionDefinition } from '../resources/definition.ts';
import { encodeStored, storedSteps } from '../storage/stored-bytes.ts';
import { Entry } from '../watch/entry.ts';
import { KeptForms } from './kept-forms.ts';
import type { ServedResource } from './served-resource.ts';

/** Objects, and bytes of them, that are converted together, and groups of them at a time. */
const GROUP_OBJECTS = 100;
const GROUP_BYTES = 256 * 1024;
const PARALLEL_GROUPS = 4;

/** Makes objects out of entries in a version of their resource, in the order given. */
type ConvertAll = (resource: ServedResource, entries: readonly Entry[]) => Promise<ApiObject[]>;

type Forms = WeakMap<Entry, Entry | Promise<Entry>>;

/**
 * Stored objects in versions that a webhook has to make. One state of an object
 * is converted once for each version, for all lists and streams that show it,
 * and kept as long as the state itself and the version as it is defined now,
 * unless it is large and others are needed more. A failure is not kept.
 */
export class ConvertedForms {
  readonly #convert: ConvertAll;
  readonly #forms = new WeakMap<VersionDefinition, Forms>();
  readonly #kept: KeptForms;

  constructor(convert: ConvertAll, kept = new KeptForms()) {
    this.#convert = convert;
    this.#kept = kept;
  }

  /** The form, if it has been made. What is deleted looks as it did before, under another revision. */
  ready(resource: ServedResource, entry: Entry): Entry | undefined {
    if (entry.lastState !== undefined) {
      return this.ready(resource, entry.lastState)?.deletedAt(entry.revision);
    }
    const form = this.#formsOf(resource.version).get(entry);
    return form instanceof Entry ? form : undefined;
  }

  /** @throws ApiError (as rejection) when the conversion fails */
  get(resource: ServedResource, entry: Entry): Entry | Promise<Entry> {
    const { lastState, revision } = entry;
    if (lastState === undefined) {
      return this.#formsOf(resource.version).get(entry) ?? this.renew(resource, entry);
    }
    const form = this.get(resource, lastState);
    return andThen(form, (last) => last.deletedAt(revision));
  }

  /** Converts the object again, whatever is known: a read shows what the webhook does now. */
  async renew(resource: ServedResource, entry: Entry): Promise<Entry> {
    const [form] = await Promise.all(this.#make(resource, [entry]));
    if (form === undefined) throw new Error('the conversion webhook returned no object');
    return form;
  }

  /**
   * Makes all forms, many at a time; undefined when there is nothing to do. When
   * they are many and large, the last of them are kept.
   *
   * @throws ApiError (as rejection) when one of them cannot be made
   */
  prepare(resource: ServedResource, entries: readonly Entry[]): Promise<void> | undefined {
    const forms = this.#formsOf(resource.version);
    const missing = new Set<Entry>();
    const pending: Promise<Entry>[] = [];
    for (const entry of entries) {
      const state = entry.lastState ?? entry;
      const form = forms.get(state);
      if (form === undefined) missing.add(state);
      else if (form instanceof Promise) pending.push(form);
      else this.#kept.used(form);
    }
    if (missing.size === 0 && pending.length === 0) return undefined;
    return this.#makeAll(resource, [...missing], pending);
  }

  async #makeAll(
    resource: ServedResource,
    missing: readonly Entry[],
    pending: readonly Promise<Entry>[],
  ): Promise<void> {
    const made = inParallel(groupsOf(missing), PARALLEL_GROUPS, (group) =>
      Promise.all(this.#make(resource, group)),
    );
    await Promise.all([made, ...pending]);
  }

  /** Begins one conversion of several objects; others who need one of them wait for the same. */
  #make(resource: ServedResource, entries: readonly Entry[]): Promise<Entry>[] {
    const forms = this.#formsOf(resource.version);
    const converted = this.#convert(resource, entries);
    return entries.map((entry, i) => {
      const form = converted.then(
        async (objects) => {
          // Each may be large: one is written in a turn of the event loop.
          if (entries.length > 1) await nextTurn();
          const made = await formOf(entry, objects[i]);
          this.#keep(forms, entry, made);
          return made;
        },
        (error: unknown) => {
          if (forms.get(entry) === form) forms.delete(entry);
          throw error;
        },
      );
      if (!(forms.get(entry) instanceof Entry)) forms.set(entry, form);
      return form;
    });
  }

  #keep(forms: Forms, entry: Entry, form: Entry): void {
    forms.set(entry, form);
    const [source, made] = [new WeakRef(entry), new WeakRef(form)];
    this.#kept.add(form, entry.bytes.length, () => {
      const stored = source.deref();
      if (stored !== undefined && forms.get(stored) === made.deref()) forms.delete(stored);
    });
  }

  #formsOf(version: VersionDefinition): Forms {
    let forms = this.#forms.get(version);
    if (forms === undefined) {
      forms = new WeakMap();
      this.#forms.set(version, forms);
    }
    return forms;
  }
}

/** In turns: the webhook decides how large the object is. */
async function formOf({ key, revision }: Entry, object: ApiObject | undefined): Promise<Entry> {
  if (object === undefined) throw new Error('the conversion webhook returned no object');
  const bytes = isLarge(object) ? await inTurns(storedSteps(object)) : encodeStored(object);
  return Entry.fromStored(key, bytes, revision);
}

function groupsOf(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  let group: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const isFull = group.length === GROUP_OBJECTS || bytes + entry.bytes.length > GROUP_BYTES;
    if (isFull && group.length > 0) {
      groups.push(group);
      group = [];
      bytes = 0;
    }
    group.push(entry);
    bytes += entry.bytes.length;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** Whether a webhook makes some of its forms. */
export function hasWebhook({ definition }: ServedResource): boolean {
  return definition.custom?.conversionWebhook !== undefined;
}

/** Stored text begins with apiVersion: whether it has to be converted is seen without parsing it. */
export function needsWebhook(resource: ServedResource, { bytes }: Entry): boolean {
  if (!hasWebhook(resource)) return false;
  const start = `{"apiVersion":"${resource.apiVersion}"`;
  return bytes.toString('latin1', 0, start.length) !== start;
}
