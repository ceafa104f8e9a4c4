/** Refusals of the provider registry; the console adds them to its vocabulary. */
export const providerErrors = {
  PROVIDER_NOT_FOUND: { status: 404, message: 'No provider has this id.' },
  PROVIDER_PRESET_UNKNOWN: { status: 422, message: 'There is no preset of this name.' },
  PROVIDER_NAME_INVALID: {
    status: 422,
    message: 'A provider has a name of 1 to 64 letters, digits, dots, hyphens and underscores.',
  },
  PROVIDER_NAME_TAKEN: { status: 409, message: 'Another provider has this name.' },
  PROVIDER_ENDPOINT_REFUSED: {
    status: 422,
    message:
      'The hub does not call this address: it takes https and public addresses, and what Providers:AllowedHosts names.',
  },
  PROVIDER_BADGE_REFUSED: { status: 422, message: 'A badge is an https address, or none.' },
  PROVIDER_PROXY_REFUSED: {
    status: 422,
    message:
      'The hub does not use this proxy: it takes http://user:password@host:port or https, at public addresses and at what Providers:AllowedProxies names.',
  },
  PROVIDER_KNOBS_INVALID: { status: 422, message: 'The knobs are not those of the protocol; details says which.' },
  PROVIDER_TLS_KEY_INVALID: { status: 422, message: 'The key and the certificate for TLS do not belong together.' },
  PROVIDER_IN_USE: { status: 409, message: 'Sessions of this provider are live: disable it, and remove it later.' },
  PROVIDER_REGISTRATION_UNKNOWN: { status: 422, message: 'The protocol of this provider has no registration.' },
  PROVIDER_REGISTRATION_FAILED: { status: 502, message: 'The provider did not register this hub; details says why.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>
