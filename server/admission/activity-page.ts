import { NO_ATTRIBUTES, type Authorizer } from '../../access/authorization/authorizer.ts';
import { apiError } from '../../api/api-error.ts';
import { formatTime } from '../../api/time.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Exchange } from '../../http/exchange.ts';
import { jsonResponse, type ApiResponse } from '../../http/message.ts';
import type { Activity, AdmissionActivity, Refusal } from './activity.ts';

const PATH = '/debug/admission';

interface PageOptions {
  readonly activity: AdmissionActivity;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
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
    return this.#answer(user);
  }

  async #answer(user: UserInfo): Promise<ApiResponse> {
    const items: object[] = [];
    for (const activity of [...this.#options.activity.all()]) {
      const { kind, name, webhook } = activity.extension;
      const matched = [...activity.rows.values()].map(
        ({ group, resource, operation, counts, seconds, lastAt }) => ({
          ...{ group, resource, operation, ...counts, seconds },
          lastTime: formatTime(lastAt),
        }),
      );
      const { refusals, hidden } = await this.#visible(user, activity);
      items.push({ kind, name, webhook, matched, refusals, hiddenRefusals: hidden });
    }
    const since = formatTime(this.#options.activity.since);
    return jsonResponse(200, { since, items }, { 'cache-control': 'no-store' });
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
