/** What a client asks of the provider, by the names under which calls are counted and faults are ordered. */
export const operations = [
  // Both protocols.
  'authorize',
  'token',
  'revoke',
  'certificates',
  'signature',
  // PSC only.
  'application',
  'client-token',
  'client-maintenance',
  'discovery',
  'password',
  'push-poll',
  // CSC only.
  'info',
  'credentials-list',
  'credentials-authorize',
  'credentials-extend',
  'send-otp',
] as const

export type Operation = (typeof operations)[number]
