import type { Account } from '../accounts.ts'
import { type Answer, bearerOf, json, type Question, textOf } from '../http.ts'
import type { Context } from '../provider-context.ts'
import { somebodyElse } from '../sign-hash.ts'
import { aliasOf, credentialOf } from './aliases.ts'
import type { Grants, Token } from './grants.ts'
import { refuse } from './refusals.ts'

/** POST oauth/user-discovery: whether there is a certificate for a CPF or CNPJ. */
export function discoverUser(context: Context, { body }: Question): Answer {
  if (!context.clients.authenticate(textOf(body, 'client_id'), textOf(body, 'client_secret'))) {
    return refuse(context, 'invalid_client', 'Unknown client or wrong secret.')
  }
  const { user_cpf_cnpj: type, val_cpf_cnpj: identifier } = body
  if ((type !== 'CPF' && type !== 'CNPJ') || typeof identifier !== 'string') {
    return refuse(context, 'invalid_request', 'Send user_cpf_cnpj and val_cpf_cnpj.')
  }
  const account = context.accounts.list().find((one) => one.type === type && one.identifier === identifier)
  if (!account) return json(200, { status: 'N', ...(context.quirks.emptySlots && { slots: [] }) })
  return json(200, { status: context.quirks.foundStatus, slots: slotsOf(context, account) })
}

const slotsOf = (context: Context, account: Account) =>
  account.credentials.map((credential, index) => ({
    slot_alias: aliasOf(context, account, credential),
    label: `${account.name} ${index + 1}`,
  }))

/** GET oauth/certificate-discovery: the certificates of a token. */
export function discoverCertificates(context: Context, grants: Grants, question: Question): Answer {
  const token = grants.findToken(bearerOf(question))
  if (!token) return refuse(context, 'invalid_token', 'The token is not valid.')
  const wanted = textOf(question.body, 'certificate_alias')
  const listed = listedFor(context, token).filter(
    (one) => wanted === undefined || one === credentialOf(context, token.account, wanted),
  )
  const shown = question.flaw === 'other-certificate' ? listed.map((one) => somebodyElse(context, one)) : listed
  return json(200, {
    status: 'S',
    certificates: shown.map((credential, index) => ({
      alias: aliasOf(context, token.account, listed[index]!),
      certificate: encoded(context, credential.certificate.x509.toString()),
    })),
  })
}

function listedFor({ quirks }: Context, { account, credential }: Token) {
  const all = credential && !quirks.listAllCertificates ? [credential] : account.credentials
  return quirks.reversed ? all.toReversed() : all
}

const encoded = ({ quirks }: Context, pem: string): string =>
  quirks.certificateEncoding === 'pem' ? pem : pem.replace(/-----[^-]+-----|\s/g, '')
