// Whose session it is, for a search: identifiers have few values, so that their digest is keyed.
import { createHmac, randomBytes } from 'node:crypto'
import { instanceSecret, type Secrets } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import { bareIdentifier } from '../rules/requested-identifier.ts'
import type { Tables } from './tables.ts'

/** `creation.identifier_digest` of a CPF or CNPJ, written with punctuation or without. */
export type IdentifierDigest = (identifier: string) => string

const KEY_BYTES = 32

/** Its key is a secret of the instance, the same in every process. */
export async function openIdentifierDigest(context: {
  readonly store: Store<Tables>
  readonly secrets: Secrets
}): Promise<IdentifierDigest> {
  const made = async () => randomBytes(KEY_BYTES).toString('base64')
  const secret = await instanceSecret({ ...context, service: 'cloud-hub' }, 'identifier-digest-key', made)
  const key = Buffer.from(secret, 'base64')
  return (identifier) => createHmac('sha256', key).update(bareIdentifier(identifier)).digest('base64url')
}
