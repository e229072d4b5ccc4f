/** A moment as an input of type `datetime-local` takes it, in the user's own time; undefined: it is none. */
export function localOf(text: string): string | undefined {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return undefined;
  const two = (value: number): string => String(value).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  const day = [year, two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':');
  return `${day}T${time}`;
}

/**
 * What such an input holds, as the API writes moments; undefined: nothing.
 *
 * @param isExact with the six digits that some fields want
 */
export function momentOf(local: string, isExact: boolean): string | undefined {
  const moment = new Date(local);
  if (local === '' || Number.isNaN(moment.getTime())) return undefined;
  return moment.toISOString().replace(/\.\d+Z$/, isExact ? '.000000Z' : 'Z');
}
