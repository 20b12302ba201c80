/** API credentials that open the door of the tests, and nothing else. */
export const CREDS = { key: '00000000-0000-4000-8000-000000000001', secret: 'c2VjcmV0', passphrase: 'pass' };
