/** One thing that keeps a value from being merged by its schema: where, and what. */
export interface TypedProblem {
  /** As conflicts name paths: `.spec.ports[port=80].name`; empty for the object itself. */
  readonly path: string;
  readonly message: string;
}

/** The problems in one text: `.spec.colour: field not declared in schema`. */
export function problemsText(problems: readonly TypedProblem[]): string {
  const texts = problems.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return texts.length === 1 ? texts.join('') : `errors:\n${texts.map((t) => `  ${t}`).join('\n')}`;
}

/** An item of a list cannot be told apart from others. Caught where a whole object is looked at. */
export class ListItemError extends Error {
  override readonly name = 'ListItemError';
}
