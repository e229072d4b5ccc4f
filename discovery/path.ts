/**
 * The segments of a path, decoded; one slash at its end does not count.
 * Undefined when a segment is empty or its percent-encoding is broken: such a
 * path names nothing.
 */
export function pathSegments(rawPath: string): readonly string[] | undefined {
  const parts = rawPath.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  if (parts.includes('')) return undefined;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
