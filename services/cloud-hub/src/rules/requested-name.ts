import { invalidField } from '@chancela/service-kernel/errors'

/** An enumeration value as different client versions send it: a name, its number, its number as text. */
export type NamedOrNumbered = string | number

/** The name of a value, in any case; numbers count from 1. Undefined for undefined; refuses unknown ones. */
export function requestedName<Name extends string>(
  field: string,
  names: readonly Name[],
  value: NamedOrNumbered | undefined,
): Name | undefined {
  if (value === undefined) return undefined
  const found =
    numbered(names, value) ?? names.find((name) => name.toLowerCase() === String(value).trim().toLowerCase())
  if (found === undefined) throw invalidField(field, `must be one of: ${names.join(', ')}`)
  return found
}

const numbered = <Name extends string>(names: readonly Name[], value: NamedOrNumbered): Name | undefined =>
  /^\s*\d+\s*$/.test(String(value)) ? names[Number(value) - 1] : undefined
