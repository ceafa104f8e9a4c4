/** Where people reach the service, without a slash at the end: its public address, or the one of the call. */
export const homeAddress = ({ PublicUrl }: { readonly PublicUrl?: string | undefined }, base: string): string =>
  (PublicUrl ?? base).replace(/\/$/, '')
