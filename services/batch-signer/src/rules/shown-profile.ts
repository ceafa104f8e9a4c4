import { createHash } from 'node:crypto'
import { behaviourNames, type Profile } from './profile.ts'

/** What events show of a profile: everything but its secrets. */
export function shownProfile(profile: ShownOf): Readonly<Record<string, unknown>> {
  const { enabled, inputFolder, format, method, certificate } = profile
  const behaviour = Object.fromEntries(behaviourNames.map((name) => [name, profile[name]]))
  const whole = { enabled, inputFolder, format, method, certificate, ...behaviour }
  return JSON.parse(JSON.stringify(whole, shownValue)) as Record<string, unknown>
}

type ShownOf = Omit<Profile, 'name' | 'hasSecret' | 'version'>

/** Longer texts are certificates and pictures. */
const LONGEST = 300

/** CPFs stand in no event, and addresses of authorities may carry a password. */
function shownValue(name: string, value: unknown): unknown {
  if (name === 'cpf') return undefined
  if (typeof value !== 'string') return value
  if (value.length > LONGEST) return `sha256:${createHash('sha256').update(value).digest('hex')}`
  return value.replace(/^(\w+:\/\/)[^/@]*@/, '$1')
}
