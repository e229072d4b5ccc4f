/** Text is handed over in pieces of about this size. */
const SLAB_BYTES = 64 * 1024;

/**
 * A long text as the body of an answer. Others have their turn between the pieces.
 *
 * @param make called for a body that is read, and not for the answer to a HEAD
 */
export async function* slabs(make: () => Promise<Iterable<string>>): AsyncIterableIterator<Buffer> {
  let text = '';
  for (const line of await make()) {
    text += line;
    if (text.length < SLAB_BYTES) continue;
    yield Buffer.from(text);
    text = '';
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield Buffer.from(text);
}
