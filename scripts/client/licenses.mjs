import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MODULE = /^(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

/**
 * Returns the licenses of all packages that went into bundles, as their licenses ask for. Throws if
 * one has none.
 */
export function licenseTexts(root, metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => usedOf(inputs)));
  const folders = new Set(inputs.map((path) => MODULE.exec(path)?.[1]).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map((folder) => licenseOf(root, folder));
  return `This package contains parts of the following packages.\n\n${[...new Set(texts)].join('\n')}`;
}

function usedOf(inputs) {
  return Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

function licenseOf(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${folder} has no license`);
  const text = file === undefined ? `License: ${license}` : readFileSync(join(root, folder, file), 'utf8').trim();
  return `## ${name} ${version}\n\n${text}\n`;
}
