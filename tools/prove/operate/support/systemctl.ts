import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placedUnder } from './placed.js';

/**
 * Stands in for systemctl where there is no systemd: starts and stops what a unit says, by its
 * ExecStartPre, ExecStart, Environment, EnvironmentFile and WorkingDirectory. SERVER_ROOT is the
 * folder that stands for the root of the file system; beside the units lie NAME.pid and NAME.log.
 */
const STOP_POLL_MS = 50;
const { SERVER_ROOT = '', PATH = '' } = process.env;
const UNITS = join(SERVER_ROOT, 'etc/systemd/system');
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const [command = '', name = ''] = [words[0], words.at(-1)];
const pidFile = join(UNITS, `${name}.pid`);

if (command === 'enable' || command === 'start') start();
else if (command === 'stop') await stop();
else if (command === 'restart') {
  await stop();
  start();
} else if (command === 'kill') process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
// Units are read at each start.
else if (command !== 'daemon-reload') throw new Error(`systemctl ${command} is not played here`);

function start(): void {
  const unit = placedUnder(SERVER_ROOT, readFileSync(join(UNITS, `${name}.service`), 'utf8'));
  const all = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);
  const cwd = all('WorkingDirectory')[0]!;
  const env = { PATH, ...entries(all('Environment').join(' ').split(' ')), ...readEnv(all('EnvironmentFile')[0]!) };
  for (const before of all('ExecStartPre')) {
    const [program, ...args] = programOf(before.replace(/^-/, ''));
    const { status } = spawnSync(program!, args, { cwd, env, stdio: 'inherit' });
    // A minus says that a failure is none.
    if (status !== 0 && !before.startsWith('-')) process.exit(status ?? 1);
  }
  const log = openSync(join(UNITS, `${name}.log`), 'a');
  const [program, ...args] = programOf(all('ExecStart')[0]!);
  const child = spawn(program!, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  child.unref();
  closeSync(log);
  writeFileSync(pidFile, String(child.pid));
}

async function stop(): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  rmSync(pidFile);
  if (isAlive(pid)) process.kill(pid, 'SIGTERM');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS));
}

/** The Node of the unit is where a package puts it; here it is the one that runs. */
function programOf(line: string): readonly string[] {
  return line.split(' ').map((word) => (word === '/usr/bin/node' ? process.execPath : word));
}

function readEnv(path: string): Record<string, string> {
  return entries(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line)),
  );
}

function entries(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
