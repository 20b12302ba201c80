import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandsOf } from '#test/support/operate-page';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { placedUnder } from './placed.js';

const SYSTEMCTL = fileURLToPath(new URL('./systemctl.js', import.meta.url));
/** What a clone of the project does not bring. */
const NOT_CLONED = ['node_modules', 'dist', '.git', 'data'];

/**
 * A server for docs/operate.md to be followed on: a folder stands for the root of its file system,
 * and a script for systemd. Everything else in the commands of the page is run as it stands there.
 */
export class Server {
  readonly root = tempFolder('server');
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Where a path of the server lies. */
  path(absolute: string): string {
    return join(this.root, absolute);
  }

  /** Brings the project, as it stands here, into a folder of the server. */
  bringProject(to: string): void {
    const filter = (from: string) => !(NOT_CLONED.includes(basename(from)) && !from.includes('/src/'));
    cpSync(ROOT, this.path(to), { recursive: true, filter });
  }

  /** Fills in settings of the file that was copied, as an operator does with an editor. */
  fillIn(settings: Readonly<Record<string, string>>): void {
    const file = this.path('/etc/preflight.env');
    let text = readFileSync(file, 'utf8');
    for (const [name, value] of Object.entries(settings)) {
      const line = new RegExp(`^#?${name}=.*$`, 'm');
      if (!line.test(text)) throw new Error(`${name} is not in deploy/.env.example`);
      text = text.replace(line, () => `${name}=${value}`);
    }
    writeFileSync(file, text);
  }

  /** Adds what is no setting of the service. */
  alsoSet(env: Readonly<Record<string, string>>): void {
    const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
    appendFileSync(this.path('/etc/preflight.env'), lines.join(''));
  }

  /**
   * Runs all commands under a heading of the page, or the n-th block of them, and returns what they
   * printed.
   */
  async follow(heading: string, block?: number): Promise<string> {
    const blocks = commandsOf(heading);
    const chosen = block === undefined ? blocks : [blocks[block]!];
    let printed = '';
    for (const one of chosen) printed += await this.run(one);
    return printed;
  }

  /** The process of the service. */
  pid(): number {
    return Number(readFileSync(this.path('/etc/systemd/system/preflight.pid'), 'utf8'));
  }

  backups(): readonly string[] {
    return readdirSync(this.path('/var/backups/preflight'));
  }

  async remove(): Promise<void> {
    await this.run('systemctl stop preflight');
    rmSync(this.root, { recursive: true, force: true });
  }

  /**
   * Runs commands as they stand on the page: paths are below the root, and the service has a port
   * that is free here.
   */
  run(commands: string): Promise<string> {
    const placed = placedUnder(this.root, commands).replaceAll('127.0.0.1:4021', `127.0.0.1:${this.#port}`);
    // The users of this machine are not those of the server.
    const played = `systemctl() { "${process.execPath}" "${SYSTEMCTL}" "$@"; }\nuseradd() { :; }`;
    const script = `set -e\n${played}\n${placed}\n`;
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, SERVER_ROOT: this.root };
    const child = spawn('sh', ['-c', script], { cwd: this.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const note = (chunk: Buffer) => {
      printed += chunk.toString();
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    return new Promise((resolve, reject) => {
      child.once('close', (code) => {
        if (code === 0) resolve(printed);
        else reject(new Error(`${commands}\nended with ${code}:\n${printed}`));
      });
    });
  }
}
