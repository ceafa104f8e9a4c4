// Data from JSON looked at member by member: what is not known is refused by its name, so that no wish is lost.

/** Looks at a value; `at` is its place in the data. */
export type Check = (value: unknown, at: string) => void

/** Checks that refuse with what `wrong` makes of a member's name and what is wrong with it. */
export function jsonChecks(wrong: (member: string, reason: string) => Error) {
  const object =
    (members: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
    (value, at) => {
      if (!isJsonObject(value)) throw wrong(at || 'the data', 'is no object')
      const missing = required.find((name) => !(name in value))
      if (missing !== undefined) throw wrong(within(at, missing), 'is missing')
      for (const [name, member] of Object.entries(value)) {
        const check = Object.hasOwn(members, name) ? members[name]! : undefined
        if (!check) throw wrong(within(at, name), `is unknown; there are: ${Object.keys(members).join(', ')}`)
        check(member, within(at, name))
      }
    }
  const number =
    (least: number, most: number): Check =>
    (value, at) => {
      const isFitting = typeof value === 'number' && value >= least && value <= most
      if (!isFitting) throw wrong(at, `is no number from ${least} to ${most}`)
    }
  const oneOf =
    (...values: readonly unknown[]): Check =>
    (value, at) => {
      if (!values.includes(value)) throw wrong(at, `is none of ${values.join(', ')}`)
    }
  const pattern =
    (expected: RegExp, what: string): Check =>
    (value, at) => {
      if (typeof value !== 'string' || !expected.test(value)) throw wrong(at, `is no ${what}`)
    }
  const listOf =
    (check: Check, most: number): Check =>
    (value, at) => {
      if (!Array.isArray(value) || value.length > most) throw wrong(at || 'the data', `is no list of up to ${most}`)
      value.forEach((one, index) => {
        check(one, `${at}[${index}]`)
      })
    }
  return { object, number, oneOf, pattern, listOf }
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const within = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)
