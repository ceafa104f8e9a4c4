// Security contexts: those of the instance are read, those of a subscription changed (pki-core facts 3.4).
import { randomUUID } from 'node:crypto'
import { invalidField } from '@chancela/service-kernel/errors'
import { changesOf } from '@chancela/service-kernel/events'
import type { Db } from '@chancela/service-kernel/store'
import { EngineError } from '@chancela/signature-engine'
import { toPem } from '@chancela/signature-engine/der'
import { Certificate, readCertificates } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { createSecurityContext, SecurityContextModel } from '../../contract/security-contexts.ts'
import type { BuiltInContext } from '../../parts/trust/security-contexts.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  deleteContext,
  findContext,
  insertContext,
  listContexts,
  updateContext,
} from '../../store/security-contexts.ts'
import { findSubscription, lockSubscription, updateSubscription } from '../../store/subscriptions.ts'
import type { SecurityContextRow, Tables } from '../../store/tables.ts'
import { act, change, type Management, type Manager } from './acting.ts'

type View = Static<typeof SecurityContextModel>
type Data = Static<typeof createSecurityContext.body>

export async function listedContexts({ context: { store }, contexts }: Management, subscriptionId: string) {
  const chosen = await defaultOf(store.db, subscriptionId)
  const builtIn = contexts.builtIn().map((one) => builtInView(one, chosen))
  const own = (await listContexts(store.db, subscriptionId)).map((row) => ownView(row, chosen))
  return { items: [...builtIn, ...own], totalCount: builtIn.length + own.length }
}

export async function readContext(management: Management, subscriptionId: string, id: string): Promise<View> {
  return viewIn(management.context.store.db, management, subscriptionId, id)
}

async function viewIn(db: Db<Tables>, { contexts }: Management, subscriptionId: string, id: string): Promise<View> {
  const wanted = id.trim().toLowerCase()
  const chosen = await defaultOf(db, subscriptionId)
  const builtIn = contexts.builtIn().find((one) => one.id === wanted)
  if (builtIn) return builtInView(builtIn, chosen)
  return ownView(await requiredOwn(db, subscriptionId, wanted), chosen)
}

const defaultOf = async (db: Db<Tables>, subscriptionId: string): Promise<string | null> =>
  (await findSubscription(db, subscriptionId))?.default_context_id ?? null

async function requiredOwn(db: Db<Tables>, subscriptionId: string, id: string): Promise<SecurityContextRow> {
  const found = await findContext(db, subscriptionId, id)
  if (!found) throw refuse('SecurityContextNotFound', { securityContextId: id })
  return found
}

/** One that may be changed. */
function requiredChangeable(
  db: Db<Tables>,
  { contexts }: Management,
  subscriptionId: string,
  id: string,
): Promise<SecurityContextRow> {
  const wanted = id.trim().toLowerCase()
  if (contexts.builtIn().some((one) => one.id === wanted))
    throw refuse('EntityIsReadOnly', { entity: 'SecurityContext', id: wanted })
  return requiredOwn(db, subscriptionId, wanted)
}

export function createContext(
  management: Management,
  manager: Manager,
  subscriptionId: string,
  data: Data,
  now: Date,
): Promise<View> {
  const at = now.toISOString()
  const row: SecurityContextRow = {
    id: randomUUID(),
    subscription_id: subscriptionId,
    ...columnsOf(data),
    created_at: at,
    updated_at: at,
    version: 1,
  }
  return change(management, async (tx) => {
    await insertContext(tx, row)
    const facts = { name: row.name, subscription: subscriptionId }
    const changes = { before: {}, after: columnsOf(data) }
    const event = act('SecurityContextCreated', manager.actor, ['security-context', row.id], facts, changes)
    return [ownView(row, await defaultOf(tx, subscriptionId)), event]
  })
}

export function changeContext(
  management: Management,
  manager: Manager,
  subscriptionId: string,
  id: string,
  data: Data,
  now: Date,
): Promise<View> {
  return change(management, async (tx) => {
    const former = await requiredChangeable(tx, management, subscriptionId, id)
    const row = (await updateContext(tx, former.id, { ...columnsOf(data), updated_at: now.toISOString() }))!
    const facts = { name: row.name }
    const changes = changesOf({ ...former }, columnsOf(data))
    const event = act('SecurityContextChanged', manager.actor, ['security-context', row.id], facts, changes)
    return [ownView(row, await defaultOf(tx, subscriptionId)), event]
  })
}

export function removeContext(
  management: Management,
  manager: Manager,
  subscriptionId: string,
  id: string,
): Promise<void> {
  return change(management, async (tx) => {
    await lockSubscription(tx, subscriptionId)
    const former = await requiredChangeable(tx, management, subscriptionId, id)
    if ((await defaultOf(tx, subscriptionId)) === former.id)
      throw refuse('EntityUnusable', { reason: 'It is the default of the subscription.' })
    await deleteContext(tx, former.id)
    const {
      id: _id,
      subscription_id: _of,
      created_at: _made,
      updated_at: _changed,
      version: _version,
      ...before
    } = former
    const facts = { name: former.name }
    const changes = { before, after: {} }
    return [undefined, act('SecurityContextDeleted', manager.actor, ['security-context', former.id], facts, changes)]
  })
}

/** Null: that of the instance, which is ICP-Brasil. */
export function chooseDefault(
  management: Management,
  manager: Manager,
  subscriptionId: string,
  id: string | null,
): Promise<View> {
  return change(management, async (tx) => {
    await lockSubscription(tx, subscriptionId)
    const chosen = id ?? management.contexts.instanceDefault
    const { id: found, name } = await viewIn(tx, management, subscriptionId, chosen)
    const former = await defaultOf(tx, subscriptionId)
    const chosenNow = id === null ? null : found
    await updateSubscription(tx, subscriptionId, { default_context_id: chosenNow })
    const changes = changesOf({ defaultSecurityContextId: former }, { defaultSecurityContextId: chosenNow })
    const facts = { subscription: subscriptionId, name }
    const event = act('DefaultSecurityContextChanged', manager.actor, ['subscription', subscriptionId], facts, changes)
    return [await viewIn(tx, management, subscriptionId, found), event]
  })
}

function columnsOf({ name, trustedRoots, intermediates, revocation, acceptedPolicies }: Data) {
  const sound = name.trim()
  if (sound === '' || /\p{Cc}/u.test(sound)) throw invalidField('name', 'must have letters, and no control characters')
  return {
    name: sound,
    roots: pemOf(trustedRoots),
    intermediates: pemOf(intermediates ?? []),
    revocation: revocation ?? 'Required',
    policies: JSON.stringify([...new Set(acceptedPolicies ?? [])]),
  }
}

const pemOf = (certificates: readonly string[]): string =>
  certificates.map((content) => toPem('CERTIFICATE', authority(content).der)).join('')

/** A certificate of an authority: that of a person, trusted by mistake, would let that person in and nobody else. */
function authority(content: string): Certificate {
  try {
    const certificate = Certificate.read(Buffer.from(content, 'base64'))
    if (!certificate.extensions.isAuthority)
      throw refuse('EndUserCertificate', { subject: certificate.subject.toString() })
    return certificate
  } catch (error) {
    throw error instanceof EngineError ? refuse('PKCertificateMalformed', {}, error) : error
  }
}

const certificateView = ({ subject, issuer, notBefore, notAfter, fingerprint, der }: Certificate) => ({
  subjectDisplayName: subject.commonName ?? subject.toString(),
  issuerDisplayName: issuer.commonName ?? issuer.toString(),
  validityStart: notBefore.toISOString(),
  validityEnd: notAfter.toISOString(),
  thumbprintSHA256: fingerprint.toUpperCase(),
  content: der.toString('base64'),
})

const inPem = (pem: string) => (pem === '' ? [] : readCertificates(Buffer.from(pem)).map(certificateView))

const ownView = (row: SecurityContextRow, chosen: string | null): View => ({
  id: row.id,
  name: row.name,
  builtIn: false,
  isDefault: row.id === chosen,
  trustedRoots: inPem(row.roots),
  intermediates: inPem(row.intermediates),
  revocation: row.revocation,
  acceptedPolicies: JSON.parse(row.policies),
  dateCreated: row.created_at,
  dateChanged: row.updated_at,
})

const builtInView = ({ id, name, roots, isInstanceDefault }: BuiltInContext, chosen: string | null): View => ({
  id,
  name,
  builtIn: true,
  isDefault: chosen === null ? isInstanceDefault : id === chosen,
  trustedRoots: roots.map(certificateView),
  intermediates: [],
  revocation: 'Required',
  acceptedPolicies: [],
  dateCreated: null,
  dateChanged: null,
})
