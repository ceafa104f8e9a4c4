/** Why a file could not be opened, or a key could not sign. */
export type KeyFault = 'not-pkcs12' | 'wrong-password' | 'unsupported' | 'no-key' | 'not-rsa' | 'unknown-digest'

export class KeyProblem extends Error {
  override readonly name = 'KeyProblem'
  readonly fault: KeyFault

  constructor(fault: KeyFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}
