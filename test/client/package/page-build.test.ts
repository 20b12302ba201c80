import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import filePlugin from '@size-limit/file';
import { expect } from 'chai';
import sizeLimit from 'size-limit';
import { ROOT } from '#test/support/source-tree';

/** Most bytes of a page that has a wallet of its own, compressed by gzip as most servers do. */
const SDK_BYTES_MAX = 15_000;
/** The same with the engine of verdicts, and with that of ratings as well. */
const ENGINE_BYTES_MAX = 39_000;
const RATINGS_BYTES_MAX = 45_500;

/** What esbuild says of its outputs. */
interface Output {
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

const FOLDER = 'dist/client-page';

describe('the client in a page', () => {
  const { outputs } = JSON.parse(readFileSync(join(ROOT, FOLDER, 'metafile.json'), 'utf8')) as {
    readonly outputs: Readonly<Record<string, Output>>;
  };
  const all = Object.keys(outputs);
  const loadedAtOnce = (path: string): readonly string[] => [
    path,
    ...outputs[path]!.imports.filter(({ kind }) => kind === 'import-statement').flatMap((one) =>
      loadedAtOnce(one.path),
    ),
  ];
  const weigh = async (name: string, paths: readonly string[], bytesMax: number) => {
    const files = [...new Set(paths)].map((path) => join(ROOT, path));
    const weighed = await sizeLimit([filePlugin], { checks: [{ files, gzip: true }] });
    const [{ size }] = weighed as [{ readonly size: number }];
    console.log(`      ${name}: ${(size / 1e3).toFixed(1)} kB of ${bytesMax / 1e3} kB`);
    expect(size).to.be.at.most(bytesMax);
  };

  it('weighs little without the engine, which is loaded when it is first needed', () =>
    weigh('without the engine', loadedAtOnce(`${FOLDER}/index.js`), SDK_BYTES_MAX));

  it('weighs little with the engine, without what checks ratings', () =>
    weigh(
      'with the engine',
      [...loadedAtOnce(`${FOLDER}/index.js`), ...loadedAtOnce(`${FOLDER}/engine.js`)],
      ENGINE_BYTES_MAX,
    ));

  it('weighs little with everything', () => weigh('with everything', all, RATINGS_BYTES_MAX));

  it('contains no schema, no module of node and nothing of the server', () => {
    const inputs = all.flatMap((path) => Object.entries(outputs[path]!.inputs));
    const used = [...new Set(inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])))];
    expect(used.filter((path) => path.startsWith('src/client/')).length).to.be.above(25);
    const allowed = [
      /^src\/client\/(?!node\/|cli\/|stdio\/)/,
      /^src\/shared\/(domain\/|api\/(prices|mcp-facts|wallets\/wallet-(terms|method))\.ts$)/,
      /^src\/judge\//,
      /^machines\/(classifier|verdict\.machine)\.ts$/,
      /^node_modules\/canonicalize\//,
    ];
    expect(used.filter((path) => !allowed.some((one) => one.test(path)))).to.deep.equal([]);
    expect(all.flatMap((path) => outputs[path]!.imports).filter(({ path }) => !all.includes(path))).to.deep.equal([]);
  });
});
