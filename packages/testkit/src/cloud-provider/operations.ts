/** The operations of the provider, by the names used for counting calls and for faults. */
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
