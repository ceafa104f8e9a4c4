import { toPem } from '@chancela/signature-engine/der'
import type { Credential } from '../accounts.ts'
import { type Answer, bearerOf, json, type Question, textOf } from '../http.ts'
import type { Context } from '../provider-context.ts'
import { type Digest, digestOf, digests, signHash } from '../sign-hash.ts'
import { aliasOf, credentialOf } from './aliases.ts'
import { detachedCms } from './detached-cms.ts'
import { type Grants, scopes, type Token } from './grants.ts'
import { refuse } from './refusals.ts'

/** One entry of `hashes`, read. */
interface Order {
  readonly id: string
  readonly digest: Digest
  readonly hash: Buffer
  readonly format: 'RAW' | 'CMS'
  /** Whether a CMS includes the issuers. */
  readonly withChain: boolean
}

/** POST oauth/signature: signs the hashes and uses up the token's call. A refusal uses up nothing. */
export async function sign(context: Context, grants: Grants, question: Question): Promise<Answer> {
  const token = grants.findToken(bearerOf(question))
  if (!token || token.callsLeft <= 0) return refuse(context, 'invalid_token', 'The token is not valid.')
  const orders = readOrders(context, question.body.hashes)
  if (typeof orders === 'string') return refuse(context, 'invalid_request', orders)
  const most = Math.min(scopes[token.scope].hashesPerCall, context.quirks.maxHashes ?? Number.POSITIVE_INFINITY)
  if (orders.length > most) return refuse(context, 'invalid_request', `At most ${most} hashes.`)
  const credential = chosen(context, token, textOf(question.body, 'certificate_alias'))
  if (!credential) return refuse(context, 'invalid_request', 'There is no such certificate_alias.')

  token.callsLeft -= 1
  const signatures = await Promise.all(
    orders.map(async (order) => ({
      id: order.id,
      raw_signature: await signOrder(context, credential, order, question),
    })),
  )
  return json(200, {
    certificate_alias: aliasOf(context, token.account, credential),
    signatures: context.quirks.reversed ? signatures.toReversed() : signatures,
  })
}

function chosen(context: Context, { account, credential }: Token, alias: string | undefined): Credential | undefined {
  if (alias === undefined) return credential ?? context.accounts.preferred(account)
  const named = credentialOf(context, account, alias)
  return credential && named !== credential ? undefined : named
}

/** The orders, or what is wrong with them. */
function readOrders(context: Context, hashes: unknown): readonly Order[] | string {
  if (!Array.isArray(hashes) || hashes.length === 0) return 'Send hashes.'
  const orders: Order[] = []
  for (const entry of hashes as Readonly<Record<string, unknown>>[]) {
    const id = textOf(entry, 'id')
    const digest = digestOf(textOf(entry, 'hash_algorithm'))
    const format = textOf(entry, 'signature_format') ?? 'RAW'
    if (id === undefined) return 'A hash has no id.'
    if (!digest) return 'A hash has an unknown hash_algorithm.'
    if (format !== 'RAW' && format !== 'CMS') return 'A hash has an unknown signature_format.'
    const hash = decoded(context, textOf(entry, 'hash') ?? '')
    if (hash?.length !== digests[digest].bytes) return 'A hash has the wrong length.'
    orders.push({ id, digest, hash, format, withChain: entry.include_chain === true })
  }
  return orders
}

const encodings = { base64: /^[A-Za-z0-9+/]+={0,2}$/, hex: /^[0-9a-fA-F]+$/ } as const

function decoded({ quirks: { hashEncoding } }: Context, text: string): Buffer | undefined {
  return encodings[hashEncoding].test(text) ? Buffer.from(text, hashEncoding) : undefined
}

async function signOrder(
  context: Context,
  credential: Credential,
  { digest, hash, format, withChain }: Order,
  { flaw }: Question,
): Promise<string> {
  const raw = (toSign: Buffer) => signHash(context, credential, digest, toSign, flaw)
  if (format === 'RAW') return written(context, await raw(hash))
  const certificates = withChain ? context.chainOf(credential) : [credential.certificate]
  const cms = await detachedCms({ certificates, digest, hash, sign: raw })
  return context.quirks.cmsArmour ? toPem('CMS', cms) : written(context, cms)
}

function written({ quirks: { lineBreaks } }: Context, signature: Buffer): string {
  const text = signature.toString('base64')
  return lineBreaks ? text.replace(/.{64}/g, '$&\r\n') : text
}
