/** Where a service offers the client's package, until that is on the registry of npm. */
export const CLIENT_PACKAGE_PATH = '/client.tgz';

/** Returns what is typed into a shell to install it from there. */
export function clientInstall(baseUrl: string): string {
  return `npm install ${baseUrl}${CLIENT_PACKAGE_PATH}`;
}
