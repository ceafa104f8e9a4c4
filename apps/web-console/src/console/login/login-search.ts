/** What the address of the sign-in says. */
export interface LoginSearch {
  /** Where the visitor was going. */
  readonly ReturnUrl?: string
  /** Why a sign-in at the identity provider came to nothing. */
  readonly error?: 'OIDC_REFUSED' | 'OIDC_UNAVAILABLE'
}

/** Reads it; an error this page does not know is a refusal, so that nobody can put words of theirs on the page. */
export function loginSearchFrom({ ReturnUrl, error }: Record<string, unknown>): LoginSearch {
  return {
    ...(typeof ReturnUrl === 'string' && ReturnUrl !== '' && { ReturnUrl }),
    ...(error !== undefined && { error: error === 'OIDC_UNAVAILABLE' ? error : 'OIDC_REFUSED' }),
  }
}
