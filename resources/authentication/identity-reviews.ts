import { boolean, list, map, string, struct, use } from '../../schema/dsl.ts';
import type { Typed } from '../../schema/shape.ts';
import { kind } from '../../schema/object-meta.ts';
import { reviewDefinition } from '../review-definition.ts';

export const AUTHENTICATION_GROUP = 'authentication.cluster.io';
const group = AUTHENTICATION_GROUP;

const UserInfo = struct(
  'io.cluster.authentication.v1.UserInfo',
  {
    username: string({ description: 'The name, which is what permissions go by.' }),
    uid: string({
      description: 'Tells users apart who have had the same name one after the other.',
    }),
    groups: list(string(), { listType: 'atomic', description: 'The groups.' }),
    extra: map(list(string()), {
      description: 'What else the authenticator has said.',
    }),
  },
  { numbers: { username: 1, uid: 2, groups: 3, extra: 4 } },
);

export const selfSubjectReviewDefinition = reviewDefinition({
  group,
  kind: 'SelfSubjectReview',
  schema: kind(
    'io.cluster.authentication.v1.SelfSubjectReview',
    {
      status: use(
        struct(
          'io.cluster.authentication.v1.SelfSubjectReviewStatus',
          {
            userInfo: use(UserInfo, { description: 'Who has sent the request.' }),
          },
          { numbers: { userInfo: 1 } },
        ),
        { description: 'The answer of the server.' },
      ),
    },
    { description: 'Asks for whom the server takes who sends it.', numbers: { status: 2 } },
  ),
});

const audiences = (description: string): Typed<string[], 'nothing'> =>
  list(string(), { listType: 'atomic', description });

export const tokenReviewDefinition = reviewDefinition({
  group,
  kind: 'TokenReview',
  schema: kind(
    'io.cluster.authentication.v1.TokenReview',
    {
      spec: use(
        struct(
          'io.cluster.authentication.v1.TokenReviewSpec',
          {
            token: string({ description: 'The bearer token.' }),
            audiences: audiences(
              'For whom the token should have been made; when empty, for this server.',
            ),
          },
          { numbers: { token: 1, audiences: 2 } },
        ),
        { required: true, description: 'The token in question.' },
      ),
      status: use(
        struct(
          'io.cluster.authentication.v1.TokenReviewStatus',
          {
            authenticated: boolean({ description: 'The token is that of a user.' }),
            user: use(UserInfo, { description: 'The user.' }),
            audiences: audiences('For whom the token was made, of those that were asked for.'),
            error: string({ description: 'Why the token is not accepted.' }),
          },
          { numbers: { authenticated: 1, user: 2, error: 3, audiences: 4 } },
        ),
        { description: 'The answer of the server.' },
      ),
    },
    { description: 'Asks whose token this is.', numbers: { spec: 2, status: 3 } },
  ),
});
