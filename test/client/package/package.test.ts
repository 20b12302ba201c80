import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect } from 'chai';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { readEngine } from '#compose/evidence';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { consumerFiles } from './support/consumer.js';

const PACKED_BYTES_MAX = 450_000;
/** How packages resolve that know modules by `exports` and ECMAScript alone, as this one does. */
const RESOLUTIONS = ['node16-esm', 'bundler'] as const;

const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'dist/client/package.json'), 'utf8'));
const NAME: string = MANIFEST.name;

describe('the package of the client', function () {
  this.timeout(120_000);
  let home: string;
  let tarball: string;
  /** As npm would install it. */
  let installed: string;

  before(() => {
    home = tempFolder('package');
    const pack = ['pack', '--json', './dist/client', '--pack-destination', home];
    const received = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    tarball = join(home, JSON.parse(received)[0].filename);
    installed = join(home, 'node_modules', NAME);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  });
  const listFiles = () =>
    readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(installed, join(entry.parentPath, entry.name)));

  it('weighs little, and holds what it was built into and nothing else', () => {
    const { size } = statSync(tarball);
    console.log(`      packed: ${(size / 1e3).toFixed(1)} kB of ${PACKED_BYTES_MAX / 1e3} kB`);
    expect(size).to.be.at.most(PACKED_BYTES_MAX);
    const others = listFiles().filter((name) => !/^(dist\/.*\.(js|d\.ts)|bin\/preflight\.js)$/.test(name));
    expect(others).to.have.members(['package.json', 'README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt']);
  });

  it('brings no other package, and runs nothing when it is installed', () => {
    const { dependencies, optionalDependencies, bundleDependencies, scripts } = MANIFEST;
    expect([dependencies, optionalDependencies, bundleDependencies, scripts]).to.deep.equal(Array(4).fill(undefined));
    const required = Object.keys(MANIFEST.peerDependencies).filter(
      (name) => !MANIFEST.peerDependenciesMeta[name].optional,
    );
    expect(required).to.deep.equal([]);
    expect([MANIFEST.version, MANIFEST.sideEffects, MANIFEST.private]).to.deep.equal([
      PRODUCT_VERSION,
      false,
      undefined,
    ]);
  });

  it('has nothing that publint would change', async () => {
    const files = listFiles().map((name) => ({ name: `package/${name}`, data: readFileSync(join(installed, name)) }));
    const { messages, pkg } = await publint({ pkgDir: 'package', pack: { files }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).to.deep.equal([]);
  });

  it('has the right types wherever modules of ECMAScript are resolved', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    if (analysis.types === false) throw new Error('the package has no types');
    expect(Object.keys(analysis.entrypoints)).to.include.members(['.', './engine', './guard', './cli']);
    for (const [name, { resolutions }] of Object.entries(analysis.entrypoints)) {
      for (const kind of RESOLUTIONS) {
        const found = resolutions[kind].visibleProblems?.map((index) => analysis.problems[index]);
        expect(found ?? [], `${name}, ${kind}`).to.deep.equal([]);
      }
    }
  });

  it('compiles with nothing beside it, and its answers have the types of the schemas', () => {
    for (const [name, text] of consumerFiles(NAME)) writeFileSync(join(home, name), text);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', home], { encoding: 'utf8' });
    expect(stdout).to.equal('');
  });

  it('is imported by name: the SDK, the engine, the guard and the command line', async () => {
    const lines = ['sdk', 'engine', 'guard', 'cli'].map(
      (one) => `export * as ${one} from '${NAME}${one === 'sdk' ? '' : `/${one}`}';`,
    );
    writeFileSync(join(home, 'all.mjs'), lines.join('\n'));
    const { sdk, engine, guard, cli } = await import(pathToFileURL(join(home, 'all.mjs')).href);
    expect(sdk).to.include.all.keys('Preflight', 'fileState', 'GuardrailRefused');
    expect(engine).to.include.all.keys('assess', 'gatherFacts', 'bookHash', 'rateSums', 'verifyAnswer');
    expect(guard).to.include.all.keys('guard', 'OrderRefused', 'OrderOutcomeUnknown');
    expect(cli.main).to.be.a('function');
    expect(engine.OWN_ENGINE, 'as the service of the same build names it').to.deep.equal(readEngine());
  });

  it('has a command that works where it was installed and in a clone', () => {
    const run = (folder: string) =>
      execFileSync(process.execPath, [join(folder, MANIFEST.bin.preflight), '--version'], { encoding: 'utf8' });
    expect([run(installed), run(join(ROOT, 'dist/client'))]).to.deep.equal([
      `${PRODUCT_VERSION}\n`,
      `${PRODUCT_VERSION}\n`,
    ]);
  });
});
