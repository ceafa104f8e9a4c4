import { EngineError } from '../errors/engine-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { DistinguishedName } from '../x509/distinguished-name.ts'
import { directoryNameOf, type GeneralName, textOf } from '../x509/general-name.ts'
import type { NameConstraints, Subtree } from '../x509/path-extensions.ts'
import { type Match, matchDns, matchEmail, matchIp, matchUri } from './constrained-names.ts'
import type { CertificateReason } from './verdict.ts'

/** Comparisons for one certificate: crafted ones could list thousands of names and of subtrees (as openssl limits it). */
const MAX_COMPARISONS = 2 ** 20

const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'

/** A name of a certificate, comparable with the subtrees of its form. */
interface ConstrainedName {
  /** The form; of an otherName with its type, because each is a form of its own. */
  readonly form: string
  readonly match: (base: GeneralName) => Match
}

/**
 * RFC 5280 §4.2.1.10, §6.1.3 b and c: every name must be within the permitted subtrees of its form and outside the
 * excluded ones, of every authority above it. What cannot be compared is not permitted, whether critical or not.
 */
export function nameReasons(path: readonly Certificate[]): CertificateReason[] {
  if (path.every(({ extensions }) => extensions.nameConstraints === undefined)) return []
  return path.flatMap((certificate, height) => {
    // An authority that certifies itself again was judged under its first certificate; the holder never is exempt.
    if (height > 0 && certificate.selfIssued) return []
    const offended = path.slice(height + 1).find((authority) => forbids(authority, certificate))
    if (!offended) return []
    const details = { authority: offended.subject.toString() }
    return [{ code: 'chain.name-not-permitted', certificate, details } as const]
  })
}

function forbids({ extensions: { nameConstraints } }: Certificate, certificate: Certificate): boolean {
  if (!nameConstraints) return false
  try {
    const names = namesOf(certificate)
    const subtrees = nameConstraints.permitted.length + nameConstraints.excluded.length
    return names.length * subtrees > MAX_COMPARISONS || names.some((name) => !isAllowed(name, nameConstraints))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return true // A malformed name or subtree cannot be compared.
  }
}

function isAllowed({ form, match }: ConstrainedName, { permitted, excluded }: NameConstraints): boolean {
  const matches = (subtrees: readonly Subtree[]) =>
    subtrees
      .filter(({ base }) => formOf(base) === form)
      .map(({ base, isWhole }): Match => (isWhole ? match(base) : 'unknown'))
  const within = matches(permitted)
  return (within.length === 0 || within.includes('within')) && matches(excluded).every((one) => one === 'outside')
}

/** The subject unless it is empty, the addresses in it, and the alternative names. */
function namesOf({ subject, extensions: { alternativeNames } }: Certificate): ConstrainedName[] {
  const emails = subject.attributes.filter(({ oid }) => oid === EMAIL_ADDRESS).map(({ value }) => value)
  return [
    ...(subject.attributes.length > 0 ? [directoryName(subject)] : []),
    ...emails.map((email) => constrained('rfc822Name', (base) => matchEmail(email, textOf(base)))),
    ...alternativeNames.map(alternativeName),
  ]
}

const constrained = (form: string, match: ConstrainedName['match']): ConstrainedName => ({ form, match })

const directoryName = (name: DistinguishedName): ConstrainedName =>
  constrained('directoryName', (base) => (name.isWithin(directoryNameOf(base)) ? 'within' : 'outside'))

function alternativeName(name: GeneralName): ConstrainedName {
  switch (name.form) {
    case 'rfc822Name':
      return constrained(name.form, (base) => matchEmail(textOf(name), textOf(base)))
    case 'dNSName':
      return constrained(name.form, (base) => matchDns(textOf(name), textOf(base)))
    case 'uniformResourceIdentifier':
      return constrained(name.form, (base) => matchUri(textOf(name), textOf(base)))
    case 'iPAddress':
      return constrained(name.form, (base) => matchIp(name.tagged.content, base.tagged.content))
    case 'directoryName':
      return directoryName(directoryNameOf(name))
    default:
      return constrained(formOf(name), () => 'unknown')
  }
}

const formOf = ({ form, tagged }: GeneralName): string =>
  form === 'otherName' ? `otherName ${tagged.inside().next().oid()}` : (form ?? String(tagged.tag))
