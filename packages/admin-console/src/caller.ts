/** A caller who is signed in at a console. */
export interface ConsoleCaller {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly way: 'password' | 'oidc'
  /** `to-enrol`: only setting up an authenticator app is allowed. */
  readonly secondFactor: 'on' | 'off' | 'to-enrol'
}
