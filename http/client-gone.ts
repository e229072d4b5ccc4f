/** The reason of a request's abort signal when its connection ends before the answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client has gone away');
  }
}
