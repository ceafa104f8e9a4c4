// What a copied cookie must not be enough for: users prove again who they are before they change what lasts.
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Caller } from './caller.ts'
import type { Operation } from './rights.ts'

type Access = Operation | 'user' | 'administration' | 'monitoring' | 'billing'

/**
 * Whether changes by this access want a recent proof. Daily work with documents does not, nor does what only reads;
 * `user` changes the own account, whose routes take the password themselves.
 */
const provenAccess: Readonly<Record<Access, boolean>> = {
  'documents.create': false,
  'documents.read': false,
  'documents.change': false,
  'documents.sign': false,
  'documents.create-signed': false,
  'documents.act-for': false,
  'documents.count': false,
  'documents.notify': false,
  'signatures.validate': false,
  'flows.read': false,
  'flows.create': false,
  'flows.change': false,
  'templates.read': false,
  'templates.change': false,
  'folders.read': false,
  'folders.create': false,
  'folders.change': false,
  'organization.read': false,
  'organization.change': true,
  'users.read': false,
  'users.change': true,
  'applications.manage': true,
  'webhooks.manage': true,
  'audit.read': false,
  user: false,
  administration: true,
  monitoring: false,
  billing: true,
}

/** Reading keeps nothing for whoever copied a cookie. */
export const needsProof = (access: Access, method: string): boolean => provenAccess[access] && method !== 'GET'

/** Whether the user of a session showed lately who they are; applications have keys, which prove nothing again. */
export function isProven({ proof }: Pick<Caller, 'proof'>, minutes: number, now: Date): boolean {
  if (proof === null) return true
  return proof.at !== null && now < plus(new Date(proof.at), minutes * MINUTE)
}
