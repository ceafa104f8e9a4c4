/** Every code of the contract (spec 1 B, Errors), then those it leaves open. */
export const errors = {
  InvalidRedirectUri: { status: 422, message: 'redirectUri is not an absolute URI.' },
  UnauthorizedRedirectUri: { status: 422, message: 'redirectUri is not registered for this key.' },
  IdentifierRequiredToDiscover: { status: 422, message: 'Discovery needs an identifier.' },
  ServiceNotFound: { status: 422, message: 'No provider has this name.' },
  DigestAlgorithmNameOrOidIsRequired: {
    status: 422,
    message: 'Either digestAlgorithm or digestAlgorithmOid must be given.',
  },
  InvalidDigestAlgorithm: { status: 422, message: 'The digest algorithm is not recognized.' },
  SessionInvalidOrAlreadyUsed: {
    status: 422,
    message: 'The session is unknown, or the provider does not accept it any more.',
  },
  SessionExpired: { status: 422, message: "The session's lifetime is over." },

  // Left open by the contract: a certificate or a number of hashes that the session does not cover.
  CertificateNotFound: { status: 422, message: 'The holder has no certificate that is valid now at the provider.' },
  CertificateAliasNotFound: { status: 422, message: 'The holder has no certificate with this alias at the provider.' },
  TooManyHashes: { status: 422, message: 'The session or its provider does not sign so many hashes at once.' },
  HashNotAuthorized: { status: 422, message: 'The holder authorized other hashes, or this one only once.' },
  IdempotencyKeyReused: { status: 422, message: 'The same Idempotency-Key came with another request before.' },

  InvalidRequest: { status: 400, message: 'One or more fields are missing or malformed.' },
  Unauthorized: { status: 401, message: 'The key is missing or unknown.' },
  NotFound: { status: 404, message: 'No operation answers this method and path.' },
  TooManyRequests: { status: 429, message: 'Too many requests. Try again later.' },
  ServerBusy: { status: 503, message: 'The hub is working on as many calls as it accepts. Try again later.' },

  // Answered as a bare JSON string.
  UnexpectedError: { status: 500, message: 'The request could not be completed.' },
  ProviderUnavailable: { status: 500, message: 'The provider cannot be reached, or is left alone after failures.' },
  ProviderTimeout: { status: 500, message: 'The provider did not answer in time; it may have signed.' },
  ProviderConnectionLost: {
    status: 500,
    message: 'The connection to the provider broke before its answer; it may have signed.',
  },
  ProviderError: { status: 500, message: 'The provider failed, or answered what its protocol does not allow.' },
  ProviderMisconfigured: { status: 500, message: 'The provider does not accept this hub: an operator must look.' },
  InvalidProviderSignature: { status: 500, message: 'What the provider signed does not fit the certificate.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>

export type ErrorCode = keyof typeof errors
