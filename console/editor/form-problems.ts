import { Refused } from '../api/http.ts';
import type { KindSchema } from '../schema/documents.ts';
import { problemsOf } from '../schema/validate.ts';
import type { Data } from './data.ts';
import type { Field } from './form-field.tsx';

/** Codes of answers that are about what was typed. */
const ABOUT_INPUT = new Set([400, 422]);

/**
 * What is wrong with which field, by its path: as the server says, and where it says
 * nothing about a field, as the schema does. A field that is not there has no problem
 * as long as the server has not been asked.
 */
export function fieldProblems(
  error: Error | undefined,
  value: Data,
  { schema, schemas }: KindSchema,
  fields: readonly Pick<Field, 'path'>[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!(error instanceof Refused) || !ABOUT_INPUT.has(error.code)) return found;
  const bySchema = problemsOf(value, schema, schemas).filter(({ isHint }) => !isHint);
  for (const { path } of fields) {
    const id = path.join('.');
    const messages = [
      ...error.causes.filter(({ field }) => field === id).map(({ message }) => message),
      ...(error.causes.length === 0 ? partAbout(id, error.message) : []),
    ];
    if (messages.length === 0) {
      const about = bySchema.filter((each) => each.path.join('.') === id);
      messages.push(...about.map(({ message }) => message));
    }
    if (messages.length > 0) found.set(id, messages.join('; '));
  }
  return found;
}

/** What a message without causes says about a field, as in `… as a Lease: spec.size: must be …`. */
function partAbout(id: string, message: string): string[] {
  const mark = `: ${id}: `;
  const at = message.indexOf(mark);
  return at < 0 ? [] : [message.slice(at + mark.length)];
}
