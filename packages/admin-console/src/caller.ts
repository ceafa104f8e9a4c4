/** Whoever is signed in at a console. */
export interface ConsoleCaller {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly way: 'password' | 'oidc'
  /** `to-enrol`: nothing but setting an authenticator app up is allowed. */
  readonly secondFactor: 'on' | 'off' | 'to-enrol'
}
