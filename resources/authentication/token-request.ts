import { int64, list, string, struct, time, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { reviewDefinition } from '../review-definition.ts';
import { AUTHENTICATION_GROUP } from './identity-reviews.ts';

const BoundObjectReference = struct(
  'io.cluster.authentication.v1.BoundObjectReference',
  {
    kind: string({ description: 'Secret or Node.' }),
    apiVersion: string({ description: 'The API version of the object.' }),
    name: string({ description: 'Its name.' }),
    uid: string({ description: 'Its uid.' }),
  },
  { numbers: { kind: 1, apiVersion: 2, name: 3, uid: 4 } },
);

/** Asked below a service account; no resource of its own. */
export const tokenRequestDefinition = reviewDefinition({
  group: AUTHENTICATION_GROUP,
  kind: 'TokenRequest',
  namespaced: true,
  schema: kind(
    'io.cluster.authentication.v1.TokenRequest',
    {
      spec: use(
        struct(
          'io.cluster.authentication.v1.TokenRequestSpec',
          {
            audiences: list(string(), {
              required: true,
              listType: 'atomic',
              description: 'For whom the token is made; when empty, for this server.',
            }),
            expirationSeconds: int64({
              pointer: true,
              description: 'How long the token is valid; an hour unless set.',
            }),
            boundObjectRef: use(BoundObjectReference, {
              pointer: true,
              description: 'The object with whose end the token ends.',
            }),
          },
          { numbers: { audiences: 1, boundObjectRef: 3, expirationSeconds: 4 } },
        ),
        { required: true, description: 'What token is wanted.' },
      ),
      status: use(
        struct(
          'io.cluster.authentication.v1.TokenRequestStatus',
          {
            token: string({ required: true, description: 'The token.' }),
            expirationTimestamp: time({ required: true, description: 'When it expires.' }),
          },
          { numbers: { token: 1, expirationTimestamp: 2 } },
        ),
        { description: 'The answer of the server.' },
      ),
    },
    { description: 'Asks for a token of a service account.', numbers: { spec: 2, status: 3 } },
  ),
});
