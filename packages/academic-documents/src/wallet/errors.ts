/** Why a credential cannot be made. */
const walletProblems = {
  'address.unsupported': '{address} is not a plain https address.',
  'key.unsupported': 'A key of the kind {key} cannot sign credentials; RSA, P-256 and P-384 can.',
  'status.length': 'A status list has at least 131,072 entries, in whole bytes.',
  'status.index': 'The status list has no entry {index}.',
  'signature.wrong': 'The signature is not of the key that the token names.',
  'salt.short': 'A salt has at least 16 bytes, in base64url.',
  'date.missing': 'The degree has no date of registration or expedition.',
} as const

export type WalletCode = keyof typeof walletProblems

/** Input from which no credential can be made. */
export class WalletProblem extends Error {
  override readonly name = 'WalletProblem'
  readonly code: WalletCode
  readonly details: Readonly<Record<string, string>>

  constructor(code: WalletCode, details: Readonly<Record<string, string>> = {}) {
    super(walletProblems[code].replace(/\{(\w+)\}/g, (_, key: string) => details[key] ?? ''))
    this.code = code
    this.details = details
  }
}
