import type { Query } from '../../api/query.ts';
import { textResponse, type ApiRequest, type ApiResponse } from '../../http/message.ts';
import {
  HEALTH_ENDPOINTS,
  type CheckResult,
  type HealthCheck,
  type HealthChecks,
  type HealthEndpoint,
} from './health-checks.ts';

interface HealthOptions {
  readonly checks: HealthChecks;
  /** Told of every result; for metrics. */
  readonly onResult?: (endpoint: HealthEndpoint, name: string, isWell: boolean) => void;
  /** Told of what failed and why; answers withhold the reason. */
  readonly onFailure?: (endpoint: HealthEndpoint, name: string, error: Error) => void;
}

/** What a check adds to the answer of its endpoint. */
interface Line {
  readonly text: string;
  readonly failed: boolean;
  readonly warning?: string;
}

/**
 * `/healthz`, `/livez`, `/readyz`, and each check by its name below them.
 * Texts and status codes are kube-apiserver's, since probes and people compare
 * them. Source: behaviours 1.12.
 */
export class Health {
  readonly #options: HealthOptions;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Every path, for the index at `/`. */
  paths(): string[] {
    return HEALTH_ENDPOINTS.flatMap((endpoint) => [
      `/${endpoint}`,
      ...this.#options.checks.of(endpoint).map(({ name }) => `/${endpoint}/${name}`),
    ]);
  }

  /** Answers a health path; undefined for any other path. */
  handle(request: ApiRequest): Promise<ApiResponse> | ApiResponse | undefined {
    const endpoint = HEALTH_ENDPOINTS.find(
      (name) => request.rawPath === `/${name}` || request.rawPath.startsWith(`/${name}/`),
    );
    if (endpoint === undefined) return undefined;
    const name = request.rawPath.slice(endpoint.length + 2);
    const isWhole = request.rawPath === `/${endpoint}`;
    const check = this.#options.checks.of(endpoint).find((c) => c.name === name);
    if (!isWhole && check === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const { body, headers } = textResponse(405, 'Method Not Allowed');
      return { status: 405, body, headers: { ...headers, allow: 'GET, HEAD' } };
    }
    return check === undefined ? this.#all(endpoint, request.query) : this.#one(endpoint, check);
  }

  async #one(endpoint: HealthEndpoint, check: HealthCheck): Promise<ApiResponse> {
    const result = await this.#options.checks.run(check);
    this.#tell(endpoint, result);
    if (result.error === undefined) return textResponse(200, 'ok');
    return textResponse(500, `internal server error: ${result.error.message}\n`);
  }

  async #all(endpoint: HealthEndpoint, query: Query): Promise<ApiResponse> {
    const excluded = new Set(query.getAll('exclude'));
    const unmatched = new Set(excluded);
    const lines = await Promise.all(
      this.#options.checks.of(endpoint).map(async (check): Promise<Line> => {
        if (excluded.has(check.name)) {
          unmatched.delete(check.name);
          return { text: `[+]${check.name} excluded: ok`, failed: false };
        }
        if (check.group !== undefined && excluded.has(check.group)) {
          unmatched.delete(check.group);
          return { text: `[+]${check.name} excluded with ${check.group}: ok`, failed: false };
        }
        const result = await this.#options.checks.run(check);
        this.#tell(endpoint, result);
        if (result.error !== undefined) {
          return { text: `[-]${check.name} failed: reason withheld`, failed: true };
        }
        const { warning } = result;
        return {
          text: `[+]${check.name} ok`,
          failed: false,
          ...(warning === undefined ? {} : { warning: `warn: ${check.name}: ${warning}` }),
        };
      }),
    );
    const texts = lines.map(({ text }) => text);
    for (const { warning } of lines) if (warning !== undefined) texts.push(warning);
    if (unmatched.size > 0) {
      const names = [...unmatched].sort().map((name) => JSON.stringify(name));
      texts.push(`warn: some health checks cannot be excluded: no matches for ${names.join(',')}`);
    }
    if (lines.some(({ failed }) => failed)) {
      return textResponse(500, [...texts, `${endpoint} check failed`, ''].join('\n'));
    }
    if (!query.has('verbose')) return textResponse(200, 'ok');
    return textResponse(200, [...texts, `${endpoint} check passed`, ''].join('\n'));
  }

  #tell(endpoint: HealthEndpoint, { check, error }: CheckResult): void {
    this.#options.onResult?.(endpoint, check.name, error === undefined);
    if (error !== undefined) this.#options.onFailure?.(endpoint, check.name, error);
  }
}
