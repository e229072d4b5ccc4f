import type { DuplicateKey } from './composer.ts';

/** Work for the thread. */
export type YamlQuestion =
  /** A text to be read. */
  | { readonly id: number; readonly text: string }
  /** JSON to be written as YAML, see {@link YamlForm}. */
  | { readonly id: number; readonly json: Uint8Array; readonly form: YamlForm };

/** A document, or an element of a sequence in a document's outermost mapping. */
export type YamlForm = 'document' | 'item';

/** The same as JSON, or what is wrong with it; and the same as YAML. */
export type YamlAnswer =
  | { readonly id: number; readonly json: string; readonly duplicates: readonly DuplicateKey[] }
  | { readonly id: number; readonly refused: string }
  | { readonly id: number; readonly yaml: string };
