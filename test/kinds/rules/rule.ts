import type { JsonObject, JsonValue } from '../../../api/json.ts';

/** A rule of the specification, with an object that keeps or breaks it. */
export interface Rule {
  /** The rule in few words. */
  readonly rule: string;
  /** What is changed of the sample of the kind, as a merge patch. */
  readonly with: JsonObject;
  /** In place of the sample's name. */
  readonly name?: string;
  /** Sent as an update of the sample instead of a create. */
  readonly update?: 'object' | 'status';
  /** The field that is wrong. */
  readonly refused?: string;
  /** The body cannot be read: 400, and the message names this. */
  readonly unreadable?: RegExp;
  /** What the answer has at a path: `[['spec', 'service', 'port'], 443]`; undefined: nothing. */
  readonly answers?: readonly [path: readonly (string | number)[], value: JsonValue | undefined];
}

/** Nothing but the rule's name, and that the server takes it. */
export type Rules = Readonly<Record<string, readonly Rule[]>>;

export const A_NAME_OF = (length: number): string => 'a'.repeat(length);
