/** What is asked of a provider, as metrics and the log name it. */
export const providerOperations = [
  'discover',
  'begin',
  'push',
  'poll',
  'redeem',
  'certificates',
  'sign',
  'revoke',
] as const

export type ProviderOperation = (typeof providerOperations)[number]
