/**
 * Goes on with a value that may be there already: at once then, without a promise. A get or a
 * small write would pay for one at each of its steps.
 */
export function andThen<T, R>(value: T | Promise<T>, next: (value: T) => Promise<R>): Promise<R>;
export function andThen<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
): R | Promise<R>;
export function andThen<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
