import type { Credential } from '../accounts.ts'
import { bearerOf } from '../http.ts'
import { type CscContext, type CscOperation, credentialOf, lifetimeOf } from './csc-context.ts'
import { hashesIn, numSignaturesIn, optionalStringIn, stringIn } from './fields.ts'
import { algorithmsOf } from './key-algorithms.ts'
import { CscRefusal } from './refusals.ts'

/** The token determines the holder: an additional userID is refused. */
export const listCredentials: CscOperation = ({ tokens, versionName, quirks: { pageSize }, version }, question) => {
  const { account } = tokens.bearer(bearerOf(question), versionName)
  const { body } = question
  if (body.userID !== undefined) throw new CscRefusal('userID parameter MUST be null')
  const all = account.credentials.map(({ alias }) => alias)
  if (version.credentialBearer) return { credentialIDs: all }
  const from = Number(optionalStringIn(body, 'pageToken') ?? 0)
  if (!Number.isInteger(from) || from < 0 || from >= all.length) throw new CscRefusal('Invalid parameter pageToken')
  const to = from + pageSize
  return { credentialIDs: all.slice(from, to), ...(to < all.length && { nextPageToken: String(to) }) }
}

export const readCredential: CscOperation = (context, question) => {
  const { tokens, versionName, version, quirks, provider } = context
  const { account } = tokens.bearer(bearerOf(question), versionName)
  const credential = credentialOf(account, stringIn(question.body, 'credentialID'))
  const { certificates = 'single' } = question.body
  if (!['none', 'single', 'chain'].includes(certificates as string)) {
    throw new CscRefusal('Invalid parameter certificates')
  }
  const { x509, key } = credential.certificate
  const shown = certificates === 'chain' ? provider.chainOf(credential) : [credential.certificate]
  const mode = quirks.authorizationMode
  return {
    description: account.name,
    key: { status: 'enabled', ...algorithmsOf(key, quirks) },
    cert: {
      status: provider.accounts.isValid(credential) ? 'valid' : 'expired',
      ...(certificates !== 'none' && { certificates: shown.map((each) => each.der.toString('base64')) }),
      ...(question.body.certInfo === true && {
        issuerDN: x509.issuer.replaceAll('\n', ','),
        serialNumber: x509.serialNumber,
        subjectDN: x509.subject.replaceAll('\n', ','),
        validFrom: generalizedTime(x509.validFrom),
        validTo: generalizedTime(x509.validTo),
      }),
    },
    ...(version.credentialBearer
      ? { auth: { mode, ...(mode === 'explicit' && { expression: 'PIN', objects: [pinObject] }) } }
      : { authMode: mode, ...(mode === 'explicit' && { PIN: pinGroup, OTP: { presence: 'false' } }) }),
    SCAL: quirks.scal,
    multisign: quirks.multisign,
    lang: 'pt-BR',
  }
}

const pinGroup = { presence: 'true', format: 'N', label: 'PIN', description: 'PIN da assinatura' }
const pinObject = { type: 'Password', id: 'PIN', format: 'N', label: 'PIN', description: 'PIN da assinatura' }

/** YYYYMMDDHHMMSSZ. */
const generalizedTime = (text: string): string => `${new Date(text).toISOString().replace(/\D/g, '').slice(0, 14)}Z`

/** For credentials without the server's pages: returns SAD at once, for the PIN where one is required. */
export const authorizeCredential: CscOperation = (context, question) => {
  const { tokens, versionName, version, quirks } = context
  const { account, clientId } = tokens.bearer(bearerOf(question), versionName)
  const { body } = question
  const credential = credentialOf(account, stringIn(body, 'credentialID'))
  if (quirks.authorizationMode === 'oauth2code')
    throw new CscRefusal('The client is not authorized to use this method.')
  const left = numSignaturesIn(body.numSignatures, quirks.multisign)
  const hashes = boundHashes(context, body, left)
  if (quirks.authorizationMode === 'explicit' && pinIn(body, version.credentialBearer) !== account.pin) {
    throw new CscRefusal('The PIN is invalid')
  }
  return sad(context, { clientId, account, credential, left, hashes })
}

/** 1.0.4 has a field for it, 2.x a list of authentication objects. */
function pinIn(body: Readonly<Record<string, unknown>>, asObject: boolean): unknown {
  if (!asObject) return body.PIN
  const objects = Array.isArray(body.authData) ? (body.authData as { id?: unknown; value?: unknown }[]) : []
  return objects.find(({ id }) => id === 'PIN')?.value
}

/** New signature activation data for the remaining signatures, replacing data that one call of signHash used up. */
export const extendTransaction: CscOperation = (context, question) => {
  const { tokens, versionName } = context
  const bearer = tokens.bearer(bearerOf(question), versionName)
  const { account, clientId } = bearer
  const { body } = question
  const credential = credentialOf(account, stringIn(body, 'credentialID'))
  const value = stringIn(body, 'SAD')
  const { authorized } = tokens.sad(value, credential, bearer)
  if (authorized.left === 0) throw new CscRefusal('Invalid parameter SAD')
  const hashes = boundHashes(context, body, authorized.left)
  tokens.revoke(value, clientId)
  return sad(context, { clientId, account, credential, left: authorized.left, hashes: hashes ?? authorized.hashes })
}

function sad(
  context: CscContext,
  {
    clientId,
    account,
    credential,
    left,
    hashes,
  }: {
    clientId: string
    account: Parameters<typeof credentialOf>[0]
    credential: Credential
    left: number
    hashes: readonly string[] | undefined
  },
) {
  const { seconds, told } = lifetimeOf(context, 'expiresIn')
  const authorized = { credential, left, hashes: hashes && [...hashes] }
  const token = { version: context.versionName, scope: 'credential', clientId, account, authorized } as const
  return { SAD: context.tokens.issue(token, seconds), ...told }
}

/** Under SCAL2 the hashes are named, as many as signatures; under SCAL1 they may be. */
function boundHashes({ version, quirks }: CscContext, body: Readonly<Record<string, unknown>>, left: number) {
  if (quirks.scal === '1' && body[version.hashes] === undefined) return undefined
  const hashes = hashesIn(body, version.hashes)
  if (hashes.length !== left) throw new CscRefusal('Number of hashes does not match numSignatures')
  return hashes
}
