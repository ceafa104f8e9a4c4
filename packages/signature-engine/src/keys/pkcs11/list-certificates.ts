import { requireArguments } from '../../errors/arguments.ts'
import type { Certificate } from '../../x509/certificate.ts'
import { issuersOf } from '../issuers-of.ts'
import { acquireModule, type Cryptoki, constants, releaseModule } from './cryptoki.ts'
import { isGone, named } from './pkcs11-token.ts'
import { type Pkcs11TokenInfo, type PresentToken, presentTokens } from './token-info.ts'
import { readCertificateObjects, type TokenCertificate } from './token-objects.ts'

/** A certificate that a token shows without a login. */
export interface Pkcs11Certificate extends TokenCertificate {
  /** Issuers found on the token, nearest first. */
  readonly chain: readonly Certificate[]
}

/** A token and what it shows without a login. */
export interface Pkcs11Shown {
  readonly info: Pkcs11TokenInfo
  /** Every certificate on it, issuers' included. */
  readonly certificates: readonly Pkcs11Certificate[]
}

/**
 * The present tokens and the certificates they show without a PIN. Never logs in, and does not affect a login of others
 * in the process.
 */
export async function listPkcs11Certificates(module: string): Promise<readonly Pkcs11Shown[]> {
  requireArguments('listPkcs11Certificates', { module: [module, 'text'] })
  const cryptoki = await acquireModule(module)
  try {
    return presentTokens(cryptoki).flatMap((token) => shownBy(cryptoki, token))
  } catch (error) {
    throw named(error, module)
  } finally {
    releaseModule(module)
  }
}

/** Undefined when the token was removed meanwhile. */
function shownBy(cryptoki: Cryptoki, { slot, info }: PresentToken): Pkcs11Shown[] {
  try {
    // A session of its own: closing it does not log out other sessions.
    const session = cryptoki.C_OpenSession(slot, constants.serialSession)
    try {
      return [{ info, certificates: withIssuers(readCertificateObjects(cryptoki, session)) }]
    } finally {
      cryptoki.C_CloseSession(session)
    }
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

function withIssuers(found: readonly TokenCertificate[]): Pkcs11Certificate[] {
  const all = found.map(({ certificate }) => certificate)
  return found.map((each) => ({ ...each, chain: issuersOf(each.certificate, all) }))
}
