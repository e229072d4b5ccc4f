import { NO_ATTRIBUTES, type Authorizer } from '../../access/authorization/authorizer.ts';
import { apiError } from '../../api/api-error.ts';
import { formatTime } from '../../api/time.ts';
import { Turn } from '../../api/turn.ts';
import type { Clock } from '../../api/clock.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ApiResponse } from '../../http/message.ts';
import { slabs } from '../../http/slabs.ts';
import type { Activity, AdmissionActivity, Refusal } from './activity.ts';

const PATH = '/debug/admission';

interface PageOptions {
  readonly activity: AdmissionActivity;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly clock: Clock;
}

/**
 * `/debug/admission`: what each webhook and policy of this server has matched,
 * and what it refused last. Needs the right to get the path; a refusal, whose
 * message may hold parts of an object, is shown to those who may get that object.
 */
export class AdmissionPage {
  readonly #options: PageOptions;

  constructor(options: PageOptions) {
    this.#options = options;
  }

  paths(): string[] {
    return [PATH];
  }

  /** Undefined: not this path. @throws ApiError 405 */
  route({ info, request, user }: Exchange): Promise<ApiResponse> | undefined {
    if (info.isResource || info.path !== PATH || user === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw apiError(405, 'MethodNotAllowed', 'what admission matched can only be read', {});
    }
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return Promise.resolve({ status: 200, headers, body: slabs(() => this.#texts(user)) });
  }

  /** The pieces of the JSON text: one for each webhook or policy, made in turns of the event loop. */
  async #texts(user: UserInfo): Promise<string[]> {
    const { activity, clock } = this.#options;
    const turn = new Turn(clock, 1);
    const items: string[] = [];
    for (const one of [...activity.all()]) {
      if (turn.over()) await turn.next();
      items.push(`${items.length === 0 ? '' : ','}${JSON.stringify(await this.#item(user, one))}`);
    }
    const since = JSON.stringify(formatTime(activity.since));
    return [`{"since":${since},"items":[`, ...items, ']}\n'];
  }

  async #item(user: UserInfo, activity: Activity): Promise<object> {
    const { kind, name, webhook } = activity.extension;
    const matched = [...activity.rows.values()].map(
      ({ group, resource, operation, counts, seconds, lastAt }) => ({
        ...{ group, resource, operation, ...counts, seconds },
        lastTime: formatTime(lastAt),
      }),
    );
    const { failuresInARow, lastFailureAt } = activity;
    const { refusals, hidden } = await this.#visible(user, activity);
    return {
      ...{ kind, name, webhook, matched, failuresInARow },
      ...(lastFailureAt === undefined ? {} : { lastFailureTime: formatTime(lastFailureAt) }),
      ...{ refusals, hiddenRefusals: hidden },
    };
  }

  /** The newest first. */
  async #visible(
    user: UserInfo,
    { refusals }: Activity,
  ): Promise<{ refusals: object[]; hidden: number }> {
    const seen: object[] = [];
    for (const { at, ...refusal } of [...refusals].reverse()) {
      if (await this.#maySee(user, refusal)) seen.push({ time: formatTime(at), ...refusal });
    }
    return { refusals: seen, hidden: refusals.length - seen.length };
  }

  async #maySee(
    user: UserInfo,
    { group, resource, subresource, namespace, name }: Omit<Refusal, 'at'>,
  ): Promise<boolean> {
    const { decision } = await this.#options.authorizer.authorize({
      ...{ ...NO_ATTRIBUTES, user, verb: 'get', isResource: true, version: '*' },
      ...{ group, resource, subresource, namespace, name },
    });
    return decision === 'allow';
  }
}
