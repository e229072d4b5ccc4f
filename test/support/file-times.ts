/**
 * Mocha's reporter `dot`, and at the end a line for each file: what it took, with all processes
 * that it started and that have ended. `test/main.ts` collects the lines.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_SUITE_END } = Mocha.Runner.constants;
/** Linux counts CPU in these: its `USER_HZ`. */
const TICKS_PER_SECOND = 100;
/** In /proc/self/stat, counted behind the command: utime, stime, cutime, cstime. */
const FIRST_TIME = 11;
const TIMES = 4;
/** Starts each line. */
const WORD = 'took';

/** In seconds. */
interface FileTime {
  readonly file: string;
  readonly elapsed: number;
  readonly cpu: number;
}

export default class FileTimes extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const times = new Map<string, { elapsed: number; cpu: number }>();
    let begin = { at: 0, cpu: 0 };
    const isOfFile = ({ root, parent }: Mocha.Suite): boolean => !root && parent?.root === true;
    runner.on(EVENT_SUITE_BEGIN, (suite) => {
      if (isOfFile(suite)) begin = { at: performance.now(), cpu: cpuSeconds() };
    });
    runner.on(EVENT_SUITE_END, (suite) => {
      if (!isOfFile(suite)) return;
      const file = relative(process.cwd(), suite.file ?? '');
      const sum = times.get(file) ?? { elapsed: 0, cpu: 0 };
      times.set(file, {
        elapsed: sum.elapsed + (performance.now() - begin.at) / 1_000,
        cpu: sum.cpu + cpuSeconds() - begin.cpu,
      });
    });
    runner.once(EVENT_RUN_END, () => {
      for (const [file, { elapsed, cpu }] of times) {
        console.log(`${WORD} ${elapsed.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU: ${file}`);
      }
    });
  }
}

const LINE = new RegExp(`^${WORD} ([\\d.]+) s, ([\\d.]+) s of CPU: (.*)\\n`, 'gm');

/** The lines in what a run printed. */
export function fileTimesIn(output: string): FileTime[] {
  return Array.from(output.matchAll(LINE), ([, elapsed, cpu, file]) => ({
    ...{ file: file ?? '', elapsed: Number(elapsed), cpu: Number(cpu) },
  }));
}

export function withoutFileTimes(output: string): string {
  return output.replaceAll(LINE, '');
}

/** Of this process and of its children that have ended, and theirs. Without them outside Linux. */
function cpuSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(FIRST_TIME, FIRST_TIME + TIMES);
  return ticks.reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND;
}
