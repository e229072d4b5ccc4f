/**
 * CPU and memory of this process as metrics, by the names that prom-client gives
 * them: for a process that loads no more than it needs.
 */
export function processPage(): string {
  const { user, system } = process.cpuUsage();
  return [
    ...family('process_cpu_user_seconds_total', 'counter', user / 1e6),
    ...family('process_cpu_system_seconds_total', 'counter', system / 1e6),
    ...family('process_cpu_seconds_total', 'counter', (user + system) / 1e6),
    ...family('process_start_time_seconds', 'gauge', Math.round(performance.timeOrigin / 1000)),
    ...family('process_resident_memory_bytes', 'gauge', process.memoryUsage.rss()),
  ].join('');
}

/** The first worker's page explains each name. */
function family(name: string, type: 'counter' | 'gauge', value: number): string[] {
  return [`# HELP ${name} Of one process.\n`, `# TYPE ${name} ${type}\n`, `${name} ${value}\n`];
}
