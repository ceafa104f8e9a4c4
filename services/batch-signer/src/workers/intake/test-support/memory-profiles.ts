import { DEFAULT_PROFILE, defaultBehaviour, type Profile } from '../../../rules/profile.ts'
import type { IntakeParts } from '../intake.ts'

/** Profiles a test puts in place and edits; intake asks no more of them than these. */
export class MemoryProfiles {
  readonly #profiles = new Map<string, Profile>()
  readonly #listeners = new Set<() => void>()

  /** Puts a profile in place, or edits it. */
  put(over: Partial<Profile> & { readonly name: string }): void {
    const before = this.#profiles.get(over.name) ?? blank
    this.#profiles.set(over.name, { ...before, ...over })
    for (const listener of this.#listeners) listener()
  }

  readonly directory: IntakeParts['profiles'] = {
    get: (name) => this.#profiles.get(name.toLowerCase()),
    byFolder: (folder) => [...this.#profiles.values()].find(({ inputFolder }) => inputFolder === folder),
    onChange: (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    },
  }
}

const blank: Profile = {
  ...defaultBehaviour,
  name: DEFAULT_PROFILE,
  enabled: true,
  inputFolder: null,
  format: null,
  method: 'Local',
  certificate: null,
  hasSecret: false,
  version: 1,
}
