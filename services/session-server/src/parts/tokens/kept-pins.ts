// PINs that are compared later: as slow hashes, sealed, so that neither the database nor the master key alone tells them.
import { hashPassword, isPassword, SecretProblem, sealedTable } from '@chancela/service-kernel/secrets'
import type { Context } from '../../context.ts'
import type { CertificateRow, TokenLoginRow } from '../../store/tables.ts'

/** 2^13: some 60 ms. What protects a PIN of six digits is the seal; the hash is for who has both. */
const COST = 13

const ofCertificate = (id: string): string => `session-server/certificate/${id}/sealed_pin`
const ofToken = (token: string): string => `session-server/token_login/${token}`

/** The PINs of holders on tokens that an operator's PIN opens, so that a rotation of the master key reaches them. */
export const sealedHolderPins = sealedTable<CertificateRow>({
  table: 'certificate',
  idColumn: 'id',
  columns: ['sealed_pin'],
  context: ({ id }) => ofCertificate(id),
})

/** The PINs that tokens accepted and refused. */
export const sealedTokenLogins = sealedTable<TokenLoginRow>({
  table: 'token_login',
  idColumn: 'token',
  columns: ['accepted', 'refused'],
  context: ({ token }) => ofToken(token),
})

export class KeptPins {
  readonly #context: Pick<Context, 'secrets' | 'logger'>

  constructor(context: Pick<Context, 'secrets' | 'logger'>) {
    this.#context = context
  }

  sealForCertificate(id: string, pin: string): Promise<string> {
    return this.#seal(pin, id, ofCertificate(id))
  }

  sealForToken(token: string, pin: string): Promise<string> {
    return this.#seal(pin, token, ofToken(token))
  }

  /** Undefined where nothing is kept, or what is kept does not open. */
  isHolders({ id, sealed_pin }: Pick<CertificateRow, 'id' | 'sealed_pin'>, pin: string): Promise<boolean | undefined> {
    return this.#isSame(sealed_pin, pin, id, ofCertificate(id))
  }

  async isTokens(token: string, sealed: string | null, pin: string): Promise<boolean> {
    return (await this.#isSame(sealed, pin, token, ofToken(token))) ?? false
  }

  async #seal(pin: string, who: string, context: string): Promise<string> {
    return this.#context.secrets.seal(await hashPassword(pin, COST, who), context)
  }

  async #isSame(sealed: string | null, pin: string, who: string, context: string): Promise<boolean | undefined> {
    const hash = sealed === null ? undefined : this.#opened(sealed, context)
    return hash === undefined ? undefined : isPassword(pin, hash, COST, who)
  }

  #opened(sealed: string, context: string): string | undefined {
    try {
      return this.#context.secrets.openText(sealed, context)
    } catch (error) {
      if (!(error instanceof SecretProblem)) throw error
      this.#context.logger.error({ sealed: context, problem: error.message }, 'kept PIN cannot be decrypted')
      return undefined
    }
  }
}
