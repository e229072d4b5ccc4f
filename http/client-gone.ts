/** Why a request's signal aborts when its connection ends: nobody is left to be answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client has gone away');
  }
}
