// Whether what came back from the document platform is what was sent, signed by those who had to, and by nobody else.
import { inspectDocument, type ProblemCode } from '@chancela/academic-documents/signatures'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import { planOf, type SigningDesk } from './desk.ts'
import type { Signing } from './open-signing.ts'
import { signersThere } from './platform-request.ts'
import { versionProblem } from './sound-version.ts'

interface Dependencies {
  readonly context: Context
  readonly signing: Signing
  readonly desk: SigningDesk
}

interface Returned {
  readonly document: XmlDocumentRow
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** What is wrong, in a sentence; undefined when nothing is. Thrown while authorities do not answer. */
export async function returnedProblem(given: Dependencies, returned: Returned, now: Date): Promise<string | undefined> {
  const { document, before, after } = returned
  return (
    versionProblem(before, after) ??
    missingProblem(given.desk, returned) ??
    signatureProblem(given, document, after, now)
  )
}

/** An institution that has not signed there signs here, whoever stored or removed its certificate meanwhile. */
function missingProblem(desk: SigningDesk, { document, after }: Returned): string | undefined {
  const { steps, misplaced } = desk.progressOf(document, after)
  if (misplaced.length > 0) return 'A signature belongs to no step.'
  const [one] = signersThere(document.document_kind, planOf(document), steps, true)
  return one && `${one.name} has not signed.`
}

/** Who signs later, here, is missed by nobody yet; and the version of the layout is what was sent. */
const notOfTheirs: readonly ProblemCode[] = ['signature-missing', 'version-unknown', 'version-not-in-force']

/** Judged as what comes from a stranger is. */
async function signatureProblem(
  { signing, context }: Dependencies,
  { document_kind: kind, plan }: XmlDocumentRow,
  after: Uint8Array,
  now: Date,
): Promise<string | undefined> {
  const { people, levels } = planOf({ plan })
  const report = await inspectDocument(after, { judge: await signing.trust.judge(), now, kind, people, levels })
  const problems = report.problems.filter(({ code }) => !notOfTheirs.includes(code))
  const { RequireHardwareKeys } = context.settings.Signing
  const wrong = problems.find(
    ({ severity, code }) => severity === 'error' || (RequireHardwareKeys && code === 'certificate-in-software'),
  )
  if (wrong) return wrong.text.en
  const unknown = problems.find(({ severity }) => severity === 'undetermined')
  if (unknown) throw refuse('signing-unavailable', { reason: unknown.text.en })
  return undefined
}
