import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLowPort } from '#local/free-low-port';
import { killed } from './killed.js';
import { runProgram } from './run-program.js';
import { ROOT } from './source-tree.js';
import { tempFolder } from './temp-folder.js';
import { untilListening } from './until-listening.js';

/** A proxy with its file of deploy/ in front of a port of this machine. */
export interface DeployedProxy {
  /** nginx has a certificate that nobody has signed. */
  readonly url: string;
  stop(): Promise<void>;
}

const deployed = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');

/** Starts nginx with deploy/nginx.conf. Rejects if it is not installed or refuses the file. */
export async function nginxBefore(servicePort: number): Promise<DeployedProxy> {
  const dir = tempFolder('nginx');
  const port = await freeLowPort();
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const names = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  await runWell('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names]);
  const server = deployed('nginx.conf')
    .replace('127.0.0.1:4021', `127.0.0.1:${servicePort}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/^\s*listen \[::\]:443.*$/m, '')
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`);
  const conf = join(dir, 'nginx.conf');
  const http = `http {\naccess_log off;\n${paths.join('\n')}\n${server}}`;
  writeFileSync(conf, `daemon off;\npid ${dir}/pid;\nerror_log ${dir}/error.log;\nevents {}\n${http}\n`);
  await runWell('nginx', ['-t', '-c', conf, '-p', dir]);
  return start(`https://127.0.0.1:${port}`, 'nginx', ['-c', conf, '-p', dir]);
}

/** Starts Caddy with deploy/Caddyfile. Rejects if it is not installed or refuses the file. */
export async function caddyBefore(servicePort: number): Promise<DeployedProxy> {
  const dir = tempFolder('caddy');
  const port = await freeLowPort();
  const server = deployed('Caddyfile')
    // Whatever else its addresses are, they are of this one port.
    .replace(
      /^preflight\.example(, :443)?/m,
      (_, others) => `http://127.0.0.1:${port}${others ? `, http://:${port}` : ''}`,
    )
    .replace('127.0.0.1:4021', `127.0.0.1:${servicePort}`);
  const conf = join(dir, 'Caddyfile');
  writeFileSync(conf, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${server}`);
  const file = ['--config', conf, '--adapter', 'caddyfile'];
  await runWell('caddy', ['validate', ...file]);
  return start(`http://127.0.0.1:${port}`, 'caddy', ['run', ...file]);
}

async function start(url: string, program: string, args: readonly string[]): Promise<DeployedProxy> {
  const child = spawn(program, args, { stdio: 'ignore' });
  const stop = () => killed(child);
  try {
    // Plain HTTP is answered by 400 where TLS is wanted, which is an answer.
    await untilListening(url.replace('https:', 'http:'));
  } catch (err) {
    await stop();
    throw err;
  }
  return { url, stop };
}

async function runWell(program: string, args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runProgram(program, args);
  if (exitCode !== 0) throw new Error(`${program} ${args[0]}: ${stderr.slice(-500)}`);
}
