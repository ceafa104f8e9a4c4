import type { Account } from '../accounts.ts'
import type { Ground } from '../ground.ts'
import { type Answer, bearerOf, json, type Question, textOf } from '../http.ts'
import { somebodyElse } from '../sign-hash.ts'
import { aliasOf, credentialOf } from './aliases.ts'
import type { Grants, Token } from './grants.ts'
import { refuse } from './refusals.ts'

/** POST oauth/user-discovery: whether there is a certificate for a CPF or CNPJ. */
export function discoverUser(ground: Ground, { body }: Question): Answer {
  if (!ground.clients.authenticate(textOf(body, 'client_id'), textOf(body, 'client_secret'))) {
    return refuse(ground, 'invalid_client', 'Unknown client or wrong secret.')
  }
  const { user_cpf_cnpj: type, val_cpf_cnpj: identifier } = body
  if ((type !== 'CPF' && type !== 'CNPJ') || typeof identifier !== 'string') {
    return refuse(ground, 'invalid_request', 'Send user_cpf_cnpj and val_cpf_cnpj.')
  }
  const account = ground.accounts.list().find((one) => one.type === type && one.identifier === identifier)
  if (!account) return json(200, { status: 'N', ...(ground.quirks.emptySlots && { slots: [] }) })
  return json(200, { status: ground.quirks.foundStatus, slots: slotsOf(ground, account) })
}

const slotsOf = (ground: Ground, account: Account) =>
  account.credentials.map((credential, index) => ({
    slot_alias: aliasOf(ground, account, credential),
    label: `${account.name} ${index + 1}`,
  }))

/** GET oauth/certificate-discovery: the certificates a token is good for. */
export function discoverCertificates(ground: Ground, grants: Grants, question: Question): Answer {
  const token = grants.findToken(bearerOf(question))
  if (!token) return refuse(ground, 'invalid_token', 'The token is not valid.')
  const wanted = textOf(question.body, 'certificate_alias')
  const listed = listedFor(ground, token).filter(
    (one) => wanted === undefined || one === credentialOf(ground, token.account, wanted),
  )
  const shown = question.flaw === 'other-certificate' ? listed.map((one) => somebodyElse(ground, one)) : listed
  return json(200, {
    status: 'S',
    certificates: shown.map((credential, index) => ({
      alias: aliasOf(ground, token.account, listed[index]!),
      certificate: encoded(ground, credential.certificate.x509.toString()),
    })),
  })
}

function listedFor({ quirks }: Ground, { account, credential }: Token) {
  const all = credential && !quirks.listAllCertificates ? [credential] : account.credentials
  return quirks.reversed ? all.toReversed() : all
}

const encoded = ({ quirks }: Ground, pem: string): string =>
  quirks.certificateEncoding === 'pem' ? pem : pem.replace(/-----[^-]+-----|\s/g, '')
