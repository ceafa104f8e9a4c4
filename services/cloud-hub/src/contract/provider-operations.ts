/** Operations of a provider, as metrics and the log name them. */
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
