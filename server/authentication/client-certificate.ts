import { authenticated, type Authenticator } from './authenticator.ts';

/** The verified certificate of the connection: the user is its common name, the groups its organizations. */
export const clientCertificate: Authenticator = {
  name: 'x509',
  authenticate({ peer }) {
    // Node types the subject's fields as text; several of one kind come as a list.
    const subject = peer.certificate?.subject as
      { CN?: string | string[]; O?: string | string[] } | undefined;
    const name = [subject?.CN ?? []].flat()[0];
    if (name === undefined || name === '') return Promise.resolve(undefined);
    const groups = [subject?.O ?? []].flat();
    return Promise.resolve(authenticated({ name, uid: '', groups, extra: {} }));
  },
};
