import { changesOf, type EventChanges, type EventLog } from '@chancela/service-kernel/events'
import { sealedTable } from '@chancela/service-kernel/secrets'
import { type Db, isUniqueViolation, type Store } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Actor } from '../rules/actor.ts'
import { approvalChanges } from '../rules/approval-changes.ts'
import {
  behaviourNames,
  type CertificateSource,
  defaultBehaviour,
  type Profile,
  type ProfileBehaviour,
  type ProfileMethod,
} from '../rules/profile.ts'
import type { ProfileDraft } from '../rules/profile-rules.ts'
import { refuse } from '../rules/refuse.ts'
import { listed, type Said, said, telling } from '../rules/sentences.ts'
import { shownProfile } from '../rules/shown-profile.ts'
import type { SigningProfileRow, Tables } from './tables.ts'

/** The channel that notifies all instances of changed profiles. */
export const PROFILES_CHANNEL = 'batch-profiles'

/** The sealed values of a profile; the texts open with `sealContext`. */
export interface SealedValues {
  /** Password of the PKCS#12, or PIN of the token. */
  readonly secret: string | null
  /** An uploaded PKCS#12. */
  readonly pkcs12: string | null
}

/** A profile as it is stored. */
export interface StoredProfile {
  readonly profile: Profile
  readonly sealed: SealedValues
}

type SealedColumn = 'sealed_secret' | 'sealed_pkcs12'

/** The seal context of a profile's value. */
export const sealContext = (name: string, column: SealedColumn): string => `batch-signer/profile/${name}/${column}`

/** The sealed columns of profiles, so that a rotation of the master key reaches them. */
export const sealedProfiles = sealedTable<SigningProfileRow>({
  table: 'signing_profile',
  idColumn: 'name',
  columns: ['sealed_secret', 'sealed_pkcs12'] satisfies SealedColumn[],
  context: ({ name }, column) => sealContext(name, column as SealedColumn),
})

/** Profile names are case-insensitive. */
export const profileKey = (name: string): string => name.toLowerCase()

/** All profiles, by name. */
export async function readProfiles(db: Db<Tables>): Promise<readonly StoredProfile[]> {
  const rows = await db.selectFrom('signing_profile').selectAll().orderBy('name_key').execute()
  return rows.map(toStored)
}

/** Actor, time and dependencies of a change. */
interface ProfileChange {
  readonly store: Store<Tables>
  readonly events: EventLog
  readonly actor: Actor
  readonly now: Date
}

/** Stores a new profile. Refusal: profile.already-exists. */
export async function insertProfile(change: ProfileChange, draft: ProfileDraft, sealed: SealedValues): Promise<void> {
  const at = change.now.toISOString()
  const row = { ...toRow(draft, sealed), version: 1, created_at: at, updated_at: at }
  await changing(change, draft.name, async (tx) => {
    if (await exists(tx, draft.name)) throw refuse('profile.already-exists', { name: draft.name })
    await tx.insertInto('signing_profile').values(row).execute()
    return createdEvents(draft, said('profile-created', { profile: draft.name }))
  }).catch((error: unknown) => refuseTaken(error, draft.name))
}

/** Stores the first profiles, unless another instance was first; returns whether they were stored. */
export async function insertSeeds(
  change: ProfileChange,
  seeds: readonly { readonly draft: ProfileDraft; readonly sealed: SealedValues }[],
): Promise<boolean> {
  const at = change.now.toISOString()
  return change.store.transaction(async (tx) => {
    // The counter's row is the lock: of two instances that start at once on an empty store, one seeds it.
    await bumpVersion(tx)
    const known = await tx.selectFrom('signing_profile').select('name').limit(1).executeTakeFirst()
    if (known) return false
    for (const { draft, sealed } of seeds) {
      const row = { ...toRow(draft, sealed), version: 1, created_at: at, updated_at: at }
      await tx.insertInto('signing_profile').values(row).execute()
      const what = said('profile-seeded', { profile: draft.name })
      for (const event of createdEvents(draft, what)) await record(tx, change, draft.name, event)
    }
    await change.store.notify(tx, PROFILES_CHANNEL)
    return true
  })
}

/** The names of the changed parts, for the events. */
interface EditedParts {
  readonly before: Profile
  readonly behaviour: readonly string[]
  /** Whether it changed, and which of the sealed values are others. */
  readonly certificate: { readonly changed: boolean; readonly replaced: readonly string[] }
  /** What the approval rule has otherwise now. */
  readonly approval: readonly Said[]
}

/** Replaces a profile that still has the version the form was opened with. Refusal: profile.changed-meanwhile. */
export async function updateProfile(
  change: ProfileChange,
  { draft, sealed, version, parts }: EditedProfile,
): Promise<void> {
  await changing(change, draft.name, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('signing_profile')
      .set({ ...toRow(draft, sealed), version: version + 1, updated_at: change.now.toISOString() })
      .where('name', '=', draft.name)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw refuse('profile.changed-meanwhile', { name: draft.name })
    return eventsOf(draft, parts)
  }).catch((error: unknown) => refuseTaken(error, draft.name))
}

/**
 * Makes a folder feed this profile and no other, in the transaction that changes the folder; null frees it, undefined
 * changes nothing. Refusal: folder.invalid for a profile that is not there or has another folder.
 */
export async function assignFolder(
  tx: Transaction<Tables>,
  change: ProfileChange,
  folder: string,
  profile: string | null | undefined,
): Promise<void> {
  if (profile === undefined) return
  const fed = await tx.selectFrom('signing_profile').selectAll().where('input_folder', '=', folder).executeTakeFirst()
  if (fed?.name === profile || (!fed && profile === null)) return
  if (fed) await setFolder(tx, change, fed, null)
  if (profile !== null) await setFolder(tx, change, await freeProfile(tx, profile), folder)
  await bumpVersion(tx)
  await change.store.notify(tx, PROFILES_CHANNEL)
}

async function freeProfile(tx: Transaction<Tables>, name: string): Promise<SigningProfileRow> {
  const row = await tx.selectFrom('signing_profile').selectAll().where('name', '=', name).executeTakeFirst()
  const unfit = (sentence: string) => refuse('folder.invalid', { fields: { profile: [sentence] } })
  if (!row) throw unfit(`There is no profile named ${name}.`)
  if (row.input_folder !== null) throw unfit(`The profile ${name} feeds from the folder ${row.input_folder}.`)
  return row
}

async function setFolder(
  tx: Transaction<Tables>,
  change: ProfileChange,
  { name, version, input_folder: before }: SigningProfileRow,
  folder: string | null,
): Promise<void> {
  await tx
    .updateTable('signing_profile')
    .set({ input_folder: folder, version: version + 1, updated_at: change.now.toISOString() })
    .where('name', '=', name)
    .execute()
  const changes = { before: { inputFolder: before }, after: { inputFolder: folder } }
  const what = said('profile-edited', { profile: name, what: 'inputFolder' })
  await record(tx, change, name, { type: 'SigningProfileEdited', what, changes })
}

interface EditedProfile {
  readonly draft: ProfileDraft
  readonly sealed: SealedValues
  /** The version that is replaced. */
  readonly version: number
  readonly parts: EditedParts
}

interface ProfileEvent {
  readonly type:
    | 'SigningProfileCreated'
    | 'SigningProfileEdited'
    | 'SigningProfileCertificateEdited'
    | 'SigningProfileApprovalEdited'
  readonly what: Said
  readonly changes: EventChanges | undefined
}

/** Who set the first rule stands in the log as who edited it later does. */
function createdEvents(draft: ProfileDraft, what: Said): ProfileEvent[] {
  const { approval, ...after } = shownProfile(draft)
  return [
    { type: 'SigningProfileCreated', what, changes: { before: {}, after } },
    ...approvalEvents(draft.name, approvalChanges(null, draft.approval), { before: {}, after: { approval } }),
  ]
}

const approvalEvents = (
  profile: string,
  edited: readonly Said[],
  changes: EventChanges | undefined,
): ProfileEvent[] => {
  if (edited.length === 0) return []
  const what = said('profile-approval-edited', { profile, what: listed(edited) })
  return [{ type: 'SigningProfileApprovalEdited', what, changes }]
}

function eventsOf(draft: ProfileDraft, { before, behaviour, certificate, approval }: EditedParts): ProfileEvent[] {
  const profile = draft.name
  const [was, is] = [shownProfile(before), shownProfile(draft)]
  const changed = (...names: readonly string[]) => changesOf(only(was, names), only(is, names))
  const events = approvalEvents(profile, approval, changed('approval'))
  if (behaviour.length > 0 || !(certificate.changed || approval.length > 0)) {
    const what = behaviour.length > 0 ? behaviour.join(', ') : said('nothing')
    const changes = changed(...behaviour)
    events.push({ type: 'SigningProfileEdited', what: said('profile-edited', { profile, what }), changes })
  }
  if (certificate.changed) {
    // Of what is sealed nobody is told more than that it is another.
    const [old, now] = [only(was, ['certificate']), only(is, ['certificate'])]
    const changes = { before: old, after: { ...now, replaced: certificate.replaced } }
    events.push({
      type: 'SigningProfileCertificateEdited',
      what: said('profile-certificate-edited', { profile }),
      changes,
    })
  }
  return events
}

const only = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

/** The change, the counter, the events and the notification of other instances: all or nothing. */
async function changing(
  change: ProfileChange,
  name: string,
  write: (tx: Transaction<Tables>) => Promise<ProfileEvent[]>,
): Promise<void> {
  await change.store.transaction(async (tx) => {
    for (const event of await write(tx)) await record(tx, change, name, event)
    await bumpVersion(tx)
    await change.store.notify(tx, PROFILES_CHANNEL)
  })
}

/** The folder was free when the rules were checked; another profile has taken it since. */
function refuseTaken(error: unknown, name: string): never {
  if (isUniqueViolation(error)) throw refuse('profile.changed-meanwhile', { name }, error)
  throw error
}

const exists = async (db: Db<Tables>, name: string): Promise<boolean> =>
  (await db
    .selectFrom('signing_profile')
    .select('name')
    .where('name_key', '=', profileKey(name))
    .executeTakeFirst()) !== undefined

async function bumpVersion(tx: Transaction<Tables>): Promise<void> {
  await tx
    .updateTable('pipeline_state')
    .set((row) => ({ profile_version: row('profile_version', '+', 1) }))
    .execute()
}

async function record(
  tx: Transaction<Tables>,
  { events, actor }: ProfileChange,
  name: string,
  { type, what, changes }: ProfileEvent,
): Promise<void> {
  await events.record(tx, { type, ...telling(what), actor, subject: { kind: 'signing-profile', id: name }, changes })
}

function toRow(draft: ProfileDraft, sealed: SealedValues) {
  const { name, enabled, inputFolder, format, method, certificate } = draft
  return {
    name,
    name_key: profileKey(name),
    enabled: enabled ? 1 : 0,
    input_folder: inputFolder,
    format,
    method,
    // Only known fields: a form may have sent more.
    behaviour: JSON.stringify(Object.fromEntries(behaviourNames.map((option) => [option, draft[option]]))),
    certificate: certificate && JSON.stringify(certificate),
    sealed_secret: sealed.secret,
    sealed_pkcs12: sealed.pkcs12,
  }
}

const toStored = (row: SigningProfileRow): StoredProfile => ({
  profile: {
    // A profile of an earlier version has no value for what came since.
    ...defaultBehaviour,
    ...(JSON.parse(row.behaviour) as Partial<ProfileBehaviour>),
    name: row.name,
    enabled: row.enabled === 1,
    inputFolder: row.input_folder,
    format: row.format,
    method: row.method as ProfileMethod,
    certificate: row.certificate === null ? null : (JSON.parse(row.certificate) as CertificateSource),
    hasSecret: row.sealed_secret !== null || row.sealed_pkcs12 !== null,
    version: row.version,
  },
  sealed: { secret: row.sealed_secret, pkcs12: row.sealed_pkcs12 },
})
