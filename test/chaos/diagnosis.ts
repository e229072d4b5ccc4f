import { run } from './images/shell.ts';

const LOG_LINES = 40;

interface Container {
  readonly Name: string;
  readonly RestartCount: number;
  readonly State: {
    readonly Status: string;
    readonly ExitCode: number;
    readonly OOMKilled: boolean;
    readonly StartedAt: string;
    readonly FinishedAt: string;
    readonly Health?: {
      readonly Status: string;
      readonly FailingStreak: number;
      readonly Log: readonly { Start: string; End: string; ExitCode: number; Output: string }[];
    };
  };
}

/**
 * What the containers of a compose project say when it does not come up: the
 * state of each, and of those that are in trouble the log and the answers of
 * the health check. `docker-compose` itself only names a container by its id.
 */
export async function diagnosisOf(project: string): Promise<string> {
  try {
    const mine = ['--filter', `label=com.docker.compose.project=${project}`];
    const ids = (await run('docker', ['ps', '-aq', ...mine])).split('\n').filter((id) => id !== '');
    if (ids.length === 0) return 'there is no container';
    const containers = JSON.parse(await run('docker', ['inspect', ...ids])) as Container[];
    return (await Promise.all(containers.map(describe))).join('\n');
  } catch (error) {
    return `the containers cannot be asked: ${String(error)}`;
  }
}

async function describe({ Name, RestartCount, State }: Container): Promise<string> {
  const { Status, ExitCode, OOMKilled, StartedAt, FinishedAt, Health } = State;
  const state = [
    `${Name}: ${Status}, ${Health?.Status ?? 'no health check'}, exit code ${ExitCode}`,
    `${RestartCount} restarts${OOMKilled ? ', killed for memory' : ''}`,
    `started ${StartedAt}, finished ${FinishedAt}`,
  ].join('; ');
  const isWell = RestartCount === 0 && (Status === 'running' || ExitCode === 0);
  if (isWell && Health?.Status !== 'unhealthy' && Health?.Status !== 'starting') return state;
  const checks = (Health?.Log ?? []).map(
    (check) => `  ${check.Start} to ${check.End}: ${check.ExitCode} ${check.Output.trim()}`,
  );
  const log = await run('sh', [
    '-c',
    `docker logs --tail ${LOG_LINES} "$1" 2>&1`,
    'sh',
    Name.slice(1),
  ]);
  return [state, ' health checks:', ...checks, ' log:', log].join('\n');
}
