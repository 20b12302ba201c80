import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  brokenCitations,
  brokenLinks,
  countReferences,
  danglingCitations,
  missingPaths,
} from '#test/support/citations';
import { CODE_FOLDERS, markdownPages, ROOT, readSources, type SourceFile } from '#test/support/source-tree';

/**
 * Which room may import which, and which packages. A room may always import itself and node's own
 * modules unless the row says otherwise. "server" stands for the files in src/server/ itself: where
 * a process starts, its log and its signals.
 */
const ROOMS: Record<string, { rooms: readonly string[]; packages: readonly string[]; node?: false }> = {
  machines: { rooms: ['domain'], packages: ['xstate'], node: false },
  streams: { rooms: ['domain', 'wire'], packages: ['rxjs'], node: false },
  domain: { rooms: [], packages: [], node: false },
  api: { rooms: ['domain'], packages: ['zod'], node: false },
  wire: { rooms: ['domain'], packages: ['zod', '@x402/core'] },
  system: { rooms: [], packages: [], node: false },
  ports: { rooms: ['domain', 'system'], packages: [], node: false },
  adapters: {
    rooms: ['domain', 'wire', 'ports', 'system'],
    packages: [
      'ws',
      'viem',
      '@bitauth/libauth',
      'hash-wasm',
      'lmdb',
      'pg',
      'node-pg-migrate',
      'dataloader',
      'cockatiel',
      'lru-cache',
      'pino',
      '@duckdb/node-api',
    ],
  },
  judge: { rooms: ['domain', 'api', 'machines'], packages: ['canonicalize'], node: false },
  services: {
    rooms: ['domain', 'api', 'judge', 'ports', 'system', 'machines', 'streams'],
    packages: ['xstate', 'rxjs', 'zod', 'lru-cache'],
  },
  doors: { rooms: ['domain', 'wire', 'services'], packages: [] },
  http: {
    rooms: ['domain', 'api', 'wire', 'ports', 'system', 'services', 'doors', 'discovery'],
    packages: ['express', 'cors', 'helmet', 'accepts', 'lru-cache', 'zod', 'prom-client'],
  },
  mcp: {
    rooms: ['domain', 'api', 'wire', 'ports', 'system', 'services', 'doors'],
    packages: ['@modelcontextprotocol/server', 'zod'],
  },
  discovery: { rooms: ['domain', 'api'], packages: ['zod', 'zod-openapi'] },
  page: {
    rooms: ['domain', 'api', 'judge', 'client'],
    packages: ['preact', '@preact/signals', 'preact-render-to-string', 'eventsource-parser', 'minisearch'],
    node: false,
  },
  client: {
    rooms: ['domain', 'api', 'judge', 'system'],
    packages: ['canonicalize', 'commander', 'viem', '@modelcontextprotocol/server'],
  },
  cli: {
    rooms: ['domain', 'api', 'ports', 'system', 'services', 'compose', 'config'],
    packages: ['commander', 'zod', 'cli-progress'],
  },
  local: {
    rooms: ['domain', 'wire', 'ports', 'system', 'adapters', 'compose', 'config', 'server'],
    packages: ['express', 'ws', 'viem', '@x402/core', '@x402/evm', '@x402/fetch', 'csv-parse', 'commander', 'zod'],
  },
  compose: {
    rooms: [
      'domain',
      'api',
      'wire',
      'ports',
      'system',
      'adapters',
      'judge',
      'services',
      'machines',
      'streams',
      'http',
      'mcp',
      'discovery',
      'config',
    ],
    packages: [],
  },
  config: { rooms: ['domain'], packages: ['zod', 'viem'] },
  server: { rooms: ['domain', 'ports', 'system', 'adapters', 'compose', 'config'], packages: ['pino'] },
};

/**
 * The same at the outer level: the products in src/, the machines and the streams. Only the server
 * and the local profile stand above all others; client and page import nothing of the server.
 */
const WINGS: Record<string, readonly string[]> = {
  shared: [],
  machines: ['shared'],
  streams: ['shared'],
  judge: ['shared', 'machines'],
  server: ['shared', 'judge', 'machines', 'streams'],
  client: ['shared', 'judge'],
  page: ['shared', 'judge', 'client'],
  local: ['shared', 'server'],
};

function wingOf(path: string): string {
  const [top, wing] = path.split('/');
  return top === 'src' ? wing! : top!;
}

function roomOf(path: string): string {
  const [top, wing, room, ...rest] = path.split('/');
  if (top !== 'src') return top!;
  const hasRooms = wing === 'server' || wing === 'shared';
  return hasRooms && rest.length > 0 ? room! : wing!;
}

const sources = readSources(['src', 'machines', 'streams']);

/** The room of a file in src/, and each folder of it down to the one above the file's own. */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(2, -1).map((_, depth) => parts.slice(0, depth + 2).join('/'));
}

/**
 * Who imports whom directly inside a folder. Its sub-folders count as one each, and so do the files
 * beside them.
 */
function importsWithin(folder: string): ReadonlyMap<string, readonly string[]> {
  const imports = new Map<string, string[]>();
  const childOf = (path: string) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0]! : null;
  for (const { path, files } of sources) {
    const child = childOf(path);
    if (child === null) continue;
    const targets = files.map(childOf).filter((target) => target !== null && target !== child);
    imports.set(child, [...(imports.get(child) ?? []), ...(targets as string[])]);
  }
  return imports;
}

/** Returns a way through the imports that ends where it began, or null if there is none. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  const circleFrom = (name: string, trail: readonly string[]): readonly string[] | null => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of imports.get(name) ?? []) {
      const circle = circleFrom(next, [...trail, name]);
      if (circle !== null) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of imports.keys()) {
    const circle = circleFrom(name, []);
    if (circle !== null) return circle;
  }
  return null;
}

const found = (describeBreach: (file: SourceFile) => readonly string[]) => sources.flatMap(describeBreach);

describe('architecture', () => {
  it('reads the real tree', () => {
    expect(sources.length).to.be.above(40);
    for (const room of ['machines', 'streams', 'domain', 'services', 'http']) {
      expect(
        sources.some(({ path }) => roomOf(path) === room),
        room,
      ).to.equal(true);
    }
  });

  it('keeps every file in a room that the table knows', () => {
    expect(found(({ path }) => (roomOf(path) in ROOMS ? [] : [path]))).to.deep.equal([]);
  });

  it('imports only along the arrows', () => {
    const breaches = found(({ path, files }) => {
      const room = roomOf(path);
      const allowed = ROOMS[room]?.rooms ?? [];
      return files
        .filter((target) => roomOf(target) !== room && !allowed.includes(roomOf(target)))
        .map((target) => `${path} imports ${target}`);
    });
    expect(breaches).to.deep.equal([]);
  });

  it('keeps every file in a wing, and imports across wings only along the arrows', () => {
    const breaches = found(({ path, files }) => {
      const allowed = WINGS[wingOf(path)] ?? [];
      return files
        .filter((target) => wingOf(target) !== wingOf(path) && !allowed.includes(wingOf(target)))
        .map((target) => `${path} imports ${target}`);
    });
    expect(breaches).to.deep.equal([]);
    expect([...new Set(sources.map(({ path }) => wingOf(path)))]).to.have.members(Object.keys(WINGS));
    expect(readdirSync(join(ROOT, 'src')).sort()).to.deep.equal([
      'client',
      'judge',
      'local',
      'page',
      'server',
      'shared',
    ]);
  });

  it('imports only files that exist', () => {
    const breaches = found(({ path, files }) =>
      files.filter((target) => !existsSync(join(ROOT, target))).map((target) => `${path} imports ${target}`),
    );
    expect(breaches).to.deep.equal([]);
  });

  it('uses in each room only the packages of its row', () => {
    const breaches = found(({ path, packages }) => {
      const row = ROOMS[roomOf(path)];
      const allowed = (name: string) =>
        name.startsWith('node:') ? row?.node !== false : (row?.packages.includes(name) ?? false);
      return packages.filter((name) => !allowed(name)).map((name) => `${path} uses ${name}`);
    });
    expect(breaches).to.deep.equal([]);
  });

  it('has no circle of imports', () => {
    const imports = new Map(sources.map(({ path, files }) => [path, files]));
    expect(findCircle(imports)).to.equal(null);
  });

  it('has no circle between the sub-rooms of a room', () => {
    const folders = new Set(sources.flatMap(({ path }) => foldersAbove(path)));
    for (const folder of ['src/shared/domain', 'src/server/adapters/lmdb', 'src/server/adapters/tape']) {
      expect(importsWithin(folder).size, folder).to.be.above(3);
    }
    const circles = [...folders].flatMap((folder) => {
      const circle = findCircle(importsWithin(folder));
      return circle === null ? [] : [`${folder}/: ${circle.join(' -> ')}`];
    });
    expect(circles).to.deep.equal([]);
  });

  const onlyIn = (title: string, pattern: RegExp, ...allowed: readonly string[]) =>
    it(title, () => {
      const breaches = found(({ path, text }) =>
        pattern.test(text) && !allowed.some((prefix) => path.startsWith(prefix)) ? [path] : [],
      );
      expect(breaches).to.deep.equal([]);
    });

  onlyIn(
    'asks the time of the clock adapter alone',
    /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
    'src/server/adapters/process/system-clock.ts',
    'src/client/system.ts',
  );
  onlyIn(
    'waits by the timers port, but for adapters and the local profile',
    /\bset(?:Timeout|Interval)\(|\bnode:timers\b/,
    'src/server/adapters/',
    'src/client/system.ts',
    'src/local/',
    // Yields to the event loop and waits for nothing.
    'src/server/services/ratings/in-turns.ts',
  );
  onlyIn(
    'subscribes to streams in services alone',
    /\.subscribe\(/,
    'src/server/services/',
    // Its clients subscribe to books.
    'src/local/venue/doors/channel/market-channel.ts',
  );
  onlyIn(
    'takes chance from the random adapter alone',
    /\bMath\.random\(/,
    'src/server/adapters/process/system-random.ts',
    'src/client/system.ts',
  );
  onlyIn(
    'reads the environment where a process starts and nowhere else',
    /\bprocess\.env\b/,
    'src/server/main.ts',
    'src/server/cli/',
    'src/local/main.ts',
    'src/local/pay.ts',
    'src/local/cluster/main.ts',
    'src/local/cluster/demo.ts',
    'src/local/cluster/replica-main.ts',
    'src/client/node/home.ts',
    'src/client/cli/',
  );
  onlyIn(
    'prints to the terminal only from the command line and the local profile',
    /\bconsole\.\w+\(/,
    'src/server/cli/',
    'src/client/cli/',
    'src/local/',
  );
  it('keeps node and packages out of the client, but for its files, its command line, its server on stdio and its guard', () => {
    const ofNode = ['node', 'cli', 'stdio', 'guard'].map((name) => `src/client/${name}/`);
    const isOfNode = (name: string) => name.startsWith('node:') || ofNode.some((folder) => name.startsWith(folder));
    const breaches = found(({ path, packages, files }) => {
      if (!path.startsWith('src/client/') || isOfNode(path)) return [];
      const foreign = [...packages.filter((name) => name !== 'canonicalize'), ...files.filter(isOfNode)];
      return foreign.map((name) => `${path} uses ${name}`);
    });
    expect(breaches).to.deep.equal([]);
  });

  it('keeps the packages of a command line and of a server out of the files of the client', () => {
    const breaches = found(({ path, packages }) =>
      path.startsWith('src/client/node/')
        ? packages.filter((name) => !name.startsWith('node:')).map((name) => `${path} uses ${name}`)
        : [],
    );
    expect(breaches).to.deep.equal([]);
  });
  onlyIn('leaves nothing open in the code', /TODO|FIXME|XXX|@ts-ignore|@ts-nocheck/);
});

describe('docs/architecture.md', () => {
  it('has the arrows of the table above', () => {
    const { text } = markdownPages().find(({ path }) => path === 'docs/architecture.md')!;
    const [, arrows = ''] = /^## Arrows$(.*?)^## /ms.exec(text) ?? [];
    const rows = [...arrows.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(
      ([, room, list]) => [room!, list === '–' ? [] : list!.split(', ').toSorted()] as const,
    );
    const held = Object.entries(ROOMS).map(([room, row]) => [room, row.rooms.toSorted()] as const);
    expect(Object.fromEntries(rows)).to.deep.equal(Object.fromEntries(held));
  });
});

describe('what is cited', () => {
  // Its own patterns are what this looks for.
  const isCode = ({ path }: SourceFile) => path !== 'test/support/citations.ts';
  const code = readSources(CODE_FOLDERS).filter(isCode);
  const pages = markdownPages();
  const texts = [...code, ...pages];
  const references = (among: readonly { readonly path: string; readonly text: string }[]) =>
    among.reduce((sum, text) => sum + countReferences(text), 0);

  it('is looked for in real comments and pages', () => {
    expect(references(code)).to.be.above(80);
    expect(references(pages)).to.be.above(30);
  });

  it('is a page and a heading of this project', () => {
    expect(texts.flatMap(brokenCitations)).to.deep.equal([]);
  });

  it('is cited by path and heading, and in no other form', () => {
    expect(texts.flatMap(danglingCitations)).to.deep.equal([]);
  });

  it('is a file or folder of this project if a page names its path', () => {
    expect(pages.flatMap(missingPaths)).to.deep.equal([]);
  });

  it('is there where a page links to it', () => {
    expect(pages.flatMap(brokenLinks)).to.deep.equal([]);
  });
});
