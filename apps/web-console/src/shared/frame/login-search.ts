/** Parameters of the sign-in page's URL. */
export interface LoginSearch {
  /** The page the visitor asked for. */
  readonly ReturnUrl?: string
  /** Why the sign-in at the identity provider failed. */
  readonly error?: 'OIDC_REFUSED' | 'OIDC_UNAVAILABLE'
}

/** Reads them; an unknown error becomes a refusal, so that a link cannot put its own text on the page. */
export function loginSearchFrom({ ReturnUrl, error }: Record<string, unknown>): LoginSearch {
  return {
    ...(typeof ReturnUrl === 'string' && ReturnUrl !== '' && { ReturnUrl }),
    ...(error !== undefined && { error: error === 'OIDC_UNAVAILABLE' ? error : 'OIDC_REFUSED' }),
  }
}
