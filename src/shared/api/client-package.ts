/** Where a service offers the client's package, until that is on the registry of npm. */
export const CLIENT_PACKAGE_PATH = '/client.tgz';
