/** What somebody does to an encrypted file. */
export type Operation = 'fill-form' | 'add-field' | 'add-evidence' | 'annotate' | 'change-pages' | 'add-pages'

/** Whether a bit of /P is set, numbered from 1 as in the norm; bits from 9 on count from revision 3 on. */
type Bits = (bit: number) => boolean

/** ISO 32000-2 table 22. A field that exists is signed by filling it in; a new one also changes the form. */
const rules: Readonly<Record<Operation, (has: Bits) => boolean>> = {
  'fill-form': (has) => has(6) || has(9),
  'add-field': (has) => has(4) && has(6),
  // The norm has no rule for evidence, which shows nothing: whoever may sign or change anything may add it.
  'add-evidence': (has) => has(4) || has(6) || has(9),
  annotate: (has) => has(6),
  'change-pages': (has) => has(4),
  'add-pages': (has) => has(4) || has(11),
}

export const operations = Object.keys(rules) as readonly Operation[]

export function permits(permissions: number, revision: number, operation: Operation): boolean {
  return rules[operation]((bit) => (bit < 9 || revision >= 3) && (permissions & (1 << (bit - 1))) !== 0)
}
