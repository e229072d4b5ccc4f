import type { DuplicateKey } from './composer.ts';

/** A text to be read by the thread. */
export interface YamlQuestion {
  readonly id: number;
  readonly text: string;
}

/** The same as JSON, or what is wrong with it. */
export type YamlAnswer =
  | { readonly id: number; readonly json: string; readonly duplicates: readonly DuplicateKey[] }
  | { readonly id: number; readonly refused: string };
