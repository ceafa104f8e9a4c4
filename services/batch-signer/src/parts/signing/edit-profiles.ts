import type { Context } from '../../context.ts'
import type { Actor } from '../../rules/actor.ts'
import { approvalChanges } from '../../rules/approval-changes.ts'
import { tidied } from '../../rules/approval-rule.ts'
import { behaviourNames, defaultBehaviour, type Profile } from '../../rules/profile.ts'
import { type ProfileContext, type ProfileDraft, profileProblems } from '../../rules/profile-rules.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  insertProfile,
  profileKey,
  type SealedValues,
  type StoredProfile,
  sealContext,
  updateProfile,
} from '../../store/profiles.ts'
import type { CurrentProfiles } from './profile-directory.ts'
import { visibleProblems } from './visible-appearance.ts'

/** Fields that came after the first forms: one that does not send them leaves them as they are. */
type Later = Pick<ProfileDraft, 'visible' | 'signatureReason' | 'signatureLocation' | 'approval'>

type Undefined<T> = { readonly [Name in keyof T]: T[Name] | undefined }

/** A profile from a form; absent secrets stay, null removes them. */
export interface ProfileForm {
  readonly draft: Omit<ProfileDraft, 'hasSecret' | keyof Later> & Partial<Undefined<Later>>
  /** Password of the PKCS#12, or PIN. */
  readonly secret?: string | null | undefined
  readonly pkcs12?: Uint8Array | null | undefined
}

/** What the rules of a form need besides the form. */
export type FormContext = Omit<ProfileContext, 'others' | 'hasPkcs12'>

type EditingContext = Pick<Context, 'store' | 'events' | 'secrets' | 'clock'>

/** Creates and edits profiles: validates all rules, writes one transaction, then opens the keys. */
export class ProfileEditor {
  readonly #context: EditingContext
  readonly #profiles: CurrentProfiles
  readonly #around: FormContext

  constructor(context: EditingContext, profiles: CurrentProfiles, around: FormContext) {
    this.#context = context
    this.#profiles = profiles
    this.#around = around
  }

  /** Refusals: profile.invalid with fields, profile.already-exists. */
  async create(form: ProfileForm, actor: Actor): Promise<Profile> {
    if (this.#profiles.get(form.draft.name)) throw refuse('profile.already-exists', { name: form.draft.name })
    const sealed = this.sealed(form, undefined)
    const draft = await this.#checked(form, sealed, defaultBehaviour)
    await insertProfile({ ...this.#context, actor, now: this.#context.clock() }, draft, sealed)
    return this.#current(draft.name)
  }

  /** The same for a profile of this version. Refusals besides: profile.not-found, profile.changed-meanwhile. */
  async edit(
    name: string,
    version: number,
    form: Omit<ProfileForm, 'draft'> & { draft: Omit<ProfileForm['draft'], 'name'> },
    actor: Actor,
  ): Promise<Profile> {
    const stored = this.#profiles.stored(name)
    if (!stored) throw refuse('profile.not-found', { name })
    const named = { ...form, draft: { ...form.draft, name: stored.profile.name } }
    if (stored.profile.version !== version) throw refuse('profile.changed-meanwhile', { name: stored.profile.name })
    const sealed = this.sealed(named, stored)
    const draft = await this.#checked(named, sealed, stored.profile)
    const change = { ...this.#context, actor, now: this.#context.clock() }
    await updateProfile(change, { draft, sealed, version, parts: changedParts(stored, draft, sealed) })
    return this.#current(draft.name)
  }

  /** The sealed values for a form. */
  sealed({ draft, secret, pkcs12 }: ProfileForm, stored: StoredProfile | undefined): SealedValues {
    const { secrets } = this.#context
    // A PIN is not valid for another kind of key.
    const kept = stored?.profile.certificate?.kind === draft.certificate?.kind ? stored?.sealed : undefined
    const isUpload = draft.certificate?.kind === 'Pkcs12' && draft.certificate.path === null
    return {
      secret: secret ? secrets.seal(secret, sealContext(draft.name, 'sealed_secret')) : keptOr(secret, kept?.secret),
      pkcs12: !isUpload
        ? null
        : pkcs12
          ? secrets.seal(pkcs12, sealContext(draft.name, 'sealed_pkcs12'))
          : keptOr(pkcs12, kept?.pkcs12),
    }
  }

  async #checked({ draft }: ProfileForm, sealed: SealedValues, before: Later): Promise<ProfileDraft> {
    const whole: ProfileDraft = {
      ...draft,
      visible: draft.visible === undefined ? before.visible : draft.visible,
      signatureReason: draft.signatureReason === undefined ? before.signatureReason : draft.signatureReason,
      signatureLocation: draft.signatureLocation === undefined ? before.signatureLocation : draft.signatureLocation,
      approval: draft.approval === undefined ? before.approval : draft.approval && tidied(draft.approval),
      hasSecret: sealed.secret !== null || sealed.pkcs12 !== null,
    }
    const others = this.#profiles.list().filter(({ name }) => profileKey(name) !== profileKey(draft.name))
    const problems = [
      ...profileProblems(whole, { ...this.#around, others, hasPkcs12: sealed.pkcs12 !== null }),
      ...(await visibleProblems(whole.visible)),
    ]
    if (problems.length > 0) throw refuse('profile.invalid', { fields: fieldsOf(problems) })
    return whole
  }

  async #current(name: string): Promise<Profile> {
    await this.#profiles.reload()
    return this.#profiles.get(name)!
  }
}

/** Absent keeps the stored value; null, or an empty text, removes it. */
const keptOr = (given: unknown, kept: string | null | undefined): string | null =>
  given === undefined ? (kept ?? null) : null

/** Messages by field, like other validation errors. */
const fieldsOf = (
  problems: readonly { readonly field: string; readonly sentence: string }[],
): Record<string, string[]> => {
  const fields: Record<string, string[]> = {}
  for (const { field, sentence } of problems) fields[field] = [...(fields[field] ?? []), sentence]
  return fields
}

/** Names of the changed fields. */
function changedParts({ profile, sealed: before }: StoredProfile, draft: ProfileDraft, sealed: SealedValues) {
  const isOther = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)
  const behaviour = behaviourNames.filter((name) => name !== 'approval')
  const names = [...behaviour, 'enabled', 'inputFolder', 'format', 'method'] as const
  const replaced = (['secret', 'pkcs12'] as const).filter((name) => before[name] !== sealed[name])
  return {
    before: profile,
    approval: approvalChanges(profile.approval, draft.approval),
    behaviour: names.filter((name) => isOther(profile[name], draft[name])),
    certificate: {
      changed: isOther(profile.certificate, draft.certificate) || replaced.length > 0,
      replaced,
    },
  }
}
